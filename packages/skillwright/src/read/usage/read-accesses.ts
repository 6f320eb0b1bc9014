// Single accesses of a log: the latest ones, searches and what was read after them, and sections read together.

import type { DatabaseSync } from 'node:sqlite';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { readQueryWords } from '../../base/words/index.ts';
import { type LogOwner, readLog } from './access-log.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';

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

/** Time of the last access in the log of a runtime directory; null without accesses or without a readable log. */
export function lastUse(owner: LogOwner): string | null {
  try {
    const row = readLog(owner, (database) =>
      database
        .prepare("SELECT timestamp FROM access_log WHERE command <> 'build' ORDER BY id DESC LIMIT 1")
        .get(),
    );
    return typeof row?.timestamp === 'string' ? row.timestamp : null;
  } catch (error) {
    if (error instanceof SkillwrightError) return null;
    throw error;
  }
}

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

/** Two sections, and the number of runs that read both. */
interface SectionPair {
  readonly a: ReadSection;
  readonly b: ReadSection;
  readonly runs: number;
}

/** Accesses looked at, latest first. */
const MAX_ROWS = 10_000;
/** Sections of one run that are paired; a run that reads everything says little. */
const MAX_OF_RUN = 20;

/** Searches in a skill, latest first. Empty without a log; E015 when it cannot be read. */
export function readSearches(skill: UsedSkill, maxRows = MAX_ROWS): LoggedSearch[] {
  const searches: LoggedSearch[] = [];
  const read = new Map<string, ReadSection[]>();
  for (const { run, command, query, results, sections } of readServed(skill, maxRows)) {
    if (command === 'show') {
      read.set(run, [...sections, ...(read.get(run) ?? [])]);
      continue;
    }
    if (query !== '') searches.push({ query, results, read: read.get(run) ?? [] });
    read.delete(run);
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
  const searches = orUndefined(() => readSearches(skill, MAX_RECENT)) ?? [];
  return searches.flatMap(({ query: other, read }) =>
    read.length > 0 && isSimilar(termsOf(other)) ? read : [],
  );
}

const termsOf = (query: string) => new Set(readQueryWords(query).map(({ hash }) => hash));

/**
 * Pairs of sections that agents read in the same run, those of the most runs first: candidates for one section, or for a
 * link. Empty without a log; E015 when it cannot be read.
 */
export function readTogether(skill: UsedSkill, limit: number): SectionPair[] {
  const runs = new Map<string, Map<string, ReadSection>>();
  for (const { run: id, command, sections } of readServed(skill, MAX_ROWS)) {
    if (command !== 'show') continue;
    const run = runs.get(id) ?? new Map<string, ReadSection>();
    runs.set(id, run);
    for (const { file, section } of sections)
      if (run.size < MAX_OF_RUN) run.set(JSON.stringify([file, section]), { file, section });
  }
  const pairs = new Map<string, { a: ReadSection; b: ReadSection; runs: number }>();
  for (const run of runs.values()) {
    const keys = [...run.keys()].sort(compareBytes);
    for (const [at, first] of keys.entries())
      for (const second of keys.slice(at + 1)) {
        const key = `${first}\n${second}`;
        const known = pairs.get(key) ?? { a: run.get(first)!, b: run.get(second)!, runs: 0 };
        known.runs += 1;
        pairs.set(key, known);
      }
  }
  return [...pairs]
    .sort(([x, a], [y, b]) => b.runs - a.runs || compareBytes(x, y))
    .map(([, pair]) => pair)
    .slice(0, limit);
}

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
    ...factsIn(String(args)),
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
