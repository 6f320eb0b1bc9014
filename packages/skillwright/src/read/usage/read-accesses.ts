// Single accesses of a log: the latest ones, and searches with what was read after them.

import type { DatabaseSync } from 'node:sqlite';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readQueryWords } from '../../base/words/index.ts';
import { type LogOwner, readLog } from './access-log.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';
import { conditionOf } from './usage-filter.ts';

/** One access. Anyone can write to a log, so every field is checked. */
export interface ReadAccess {
  /** Rises with every access of one log. */
  readonly id: number;
  readonly timestamp: string;
  readonly run: string;
  readonly command: string;
  readonly skill: string;
  readonly path: string;
  readonly cwd: string;
  /** The program that asked, such as the name of an MCP client; null when it did not say. */
  readonly client: string | null;
  /** The section, file, directory or query that was asked for. */
  readonly subject: string | null;
  /** Files it read or asked for. */
  readonly files: readonly string[];
  readonly error: string | null;
  readonly tokens: number;
  readonly durationMs: number;
}

/**
 * Accesses of a log in order, at most `limit`: those after the id `after`, or without it the latest. Empty without a log;
 * E015 when it cannot be read.
 */
export function readAccesses(
  owner: LogOwner,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
): ReadAccess[] {
  return readLog(owner, (database) => readRows(database, after, limit)) ?? [];
}

function readRows(database: DatabaseSync, after: number | undefined, limit: number): ReadAccess[] {
  const columns =
    'id, timestamp, run_id, command, skill, skill_path, cwd, args, error, tokens, duration_ms FROM access_log';
  const rows =
    after === undefined
      ? database.prepare(`SELECT ${columns} ORDER BY id DESC LIMIT ?`).all(limit).reverse()
      : database.prepare(`SELECT ${columns} WHERE id > ? ORDER BY id LIMIT ?`).all(after, limit);
  return rows.map((row) => ({
    id: Number(row.id),
    timestamp: String(row.timestamp),
    run: String(row.run_id),
    command: String(row.command),
    skill: String(row.skill),
    path: String(row.skill_path),
    cwd: String(row.cwd),
    ...requestIn(String(row.args)),
    error: row.error === null ? null : String(row.error),
    tokens: Number(row.tokens) || 0,
    durationMs: Number(row.duration_ms) || 0,
  }));
}

function requestIn(args: string): Pick<ReadAccess, 'subject' | 'files' | 'client'> {
  const value: unknown = orUndefined(() => JSON.parse(args));
  if (typeof value !== 'object' || value === null) return { subject: null, files: [], client: null };
  const { section, path, query, dir, file, sections, files, client } = value as Record<string, unknown>;
  const texts = (list: unknown) => [list].flat().filter((item) => typeof item === 'string');
  const places = [sections].flat().flatMap((item) => texts((item as { file?: unknown } | undefined)?.file));
  const words = texts(query).join(' ');
  const subject = texts(section)[0] ?? texts(path)[0] ?? (words === '' ? undefined : words) ?? texts(dir)[0];
  return {
    subject: subject ?? null,
    client: typeof client === 'string' ? client.slice(0, 100) : null,
    files: [...new Set([...places, ...texts(files), ...texts(file), ...texts(path)])],
  };
}

/** Time of the last access to a skill other than a build; null without accesses or without a readable log. */
export function lastUse({ dir, ...owner }: UsedSkill): string | null {
  try {
    const row = readLog(owner, (database) => {
      const { where, values } = conditionOf(everything, otherSkills(database, dir));
      return database
        .prepare(`SELECT max(timestamp) AS last FROM access_log WHERE ${where} AND command <> 'build'`)
        .get(...values);
    });
    return typeof row?.last === 'string' ? row.last : null;
  } catch (error) {
    if (error instanceof SkillwrightError) return null;
    throw error;
  }
}

const everything = { since: null, until: null, projects: [] };

/** A section that was read. */
interface ReadSection {
  readonly file: string;
  readonly section: string;
}

/** A search, and the sections that the same run read before its next search. */
export interface LoggedSearch {
  readonly query: string;
  readonly results: number;
  readonly read: readonly ReadSection[];
}

/** Accesses looked at, latest first. */
const MAX_ROWS = 10_000;

/** Searches in a skill, latest first. Empty without a log; E015 when it cannot be read. `followed`: only those before a read. */
export function readSearches(
  skill: UsedSkill,
  { maxRows = MAX_ROWS, followed = false }: { readonly maxRows?: number; readonly followed?: boolean } = {},
): LoggedSearch[] {
  const searches: LoggedSearch[] = [];
  const shown = new Map<string, string[]>();
  for (const { run, command, args } of readServed(skill, maxRows)) {
    const after = shown.get(run) ?? [];
    if (command === 'show') {
      shown.set(run, [args, ...after]);
      continue;
    }
    shown.delete(run);
    // Reading the arguments takes most of the time.
    if (followed && after.length === 0) continue;
    const { query, results } = factsIn(args);
    const read = after.flatMap((earlier) => factsIn(earlier).sections);
    if (query !== '') searches.push({ query, results, read });
  }
  return searches;
}

/** Accesses that a search looks at. */
const MAX_RECENT = 500;
/** Share of the words of both queries that similar ones have in common. */
const SIMILAR = 0.5;

/** Sections that were read after searches with much the same words. Empty without a readable log. */
export function readAfterSimilar(skill: UsedSkill, query: string): ReadSection[] {
  const asked = termsOf(query);
  const isSimilar = (other: ReadonlySet<number>) => {
    const shared = [...asked].filter((term) => other.has(term)).length;
    return shared > 0 && shared >= SIMILAR * (asked.size + other.size - shared);
  };
  const searches = orUndefined(() => readSearches(skill, { maxRows: MAX_RECENT, followed: true })) ?? [];
  return searches.flatMap(({ query: other, read }) =>
    read.length > 0 && isSimilar(termsOf(other)) ? read : [],
  );
}

const termsOf = (query: string) => new Set(readQueryWords(query).map(({ hash }) => hash));

/** Searches of a skill and sections shown, latest first. */
function readServed({ dir, ...owner }: UsedSkill, maxRows: number) {
  const rows = readLog(owner, (database) => {
    const others = new Set(otherSkills(database, dir));
    return database
      .prepare(
        `SELECT run_id, command, skill_path, args FROM access_log
         WHERE command IN ('search', 'show') AND error IS NULL ORDER BY id DESC LIMIT ?`,
      )
      .all(maxRows)
      .filter(({ skill_path }) => !others.has(String(skill_path)));
  });
  return (rows ?? []).map(({ run_id, command, args }) => ({
    run: String(run_id),
    command: String(command),
    args: String(args),
  }));
}

/** Query, results and sections in the arguments of an access. Anyone can write to a log, so every field is checked. */
function factsIn(args: string): { query: string; results: number; sections: ReadSection[] } {
  const value: unknown = orUndefined(() => JSON.parse(args));
  if (typeof value !== 'object' || value === null) return { query: '', results: 0, sections: [] };
  const { query, results, sections } = value as Record<string, unknown>;
  const words = Array.isArray(query) ? query.filter((word) => typeof word === 'string') : [];
  return {
    query: words.join(' ').trim(),
    results: typeof results === 'number' ? results : 0,
    sections: Array.isArray(sections) ? sections.filter(isSection) : [],
  };
}

function isSection(value: unknown): value is ReadSection {
  if (typeof value !== 'object' || value === null) return false;
  const { file, section } = value as Record<string, unknown>;
  return typeof file === 'string' && typeof section === 'string' && section !== '';
}
