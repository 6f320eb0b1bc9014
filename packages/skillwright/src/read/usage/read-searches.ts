// Searches of agents from the access log, and the sections they read afterwards.

import type { DatabaseSync } from 'node:sqlite';
import { readLog } from './open-log.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';

/** A search, and the sections that the same run read before its next search. */
export interface LoggedSearch {
  readonly query: string;
  readonly results: number;
  readonly read: readonly { readonly file: string; readonly section: string }[];
}

/** Accesses looked at, latest first. */
const MAX_ROWS = 10_000;

/** Searches in a skill, latest first. Empty without a log; E015 when it cannot be read. */
export function readSearches(skill: Pick<UsedSkill, 'dir' | 'runtime' | 'home'>): LoggedSearch[] {
  return readLog(skill, (database) => readRows(database, skill.dir)) ?? [];
}

function readRows(database: DatabaseSync, dir: string): LoggedSearch[] {
  const others = new Set(otherSkills(database, dir));
  const rows = database
    .prepare(
      `SELECT run_id, command, skill_path, args FROM access_log
       WHERE command IN ('search', 'show') AND error IS NULL ORDER BY id DESC LIMIT ?`,
    )
    .all(MAX_ROWS);
  const searches: LoggedSearch[] = [];
  const read = new Map<string, LoggedSearch['read'][number][]>();
  for (const { run_id, command, skill_path, args } of rows) {
    if (others.has(String(skill_path))) continue;
    const run = String(run_id);
    const facts = factsIn(String(args));
    if (command === 'show') {
      read.set(run, [...facts.sections, ...(read.get(run) ?? [])]);
      continue;
    }
    if (facts.query !== '')
      searches.push({ query: facts.query, results: facts.results, read: read.get(run) ?? [] });
    read.delete(run);
  }
  return searches;
}

/** Query, results and sections in the arguments of an access. Anyone can write to a log, so every field is checked. */
export function factsIn(args: string): {
  query: string;
  results: number;
  sections: LoggedSearch['read'][number][];
} {
  const none = { query: '', results: 0, sections: [] };
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    return none;
  }
  if (typeof value !== 'object' || value === null) return none;
  const { query, results, sections } = value as Record<string, unknown>;
  const words = Array.isArray(query) ? query.filter((word) => typeof word === 'string') : [];
  return {
    query: words.join(' ').trim(),
    results: typeof results === 'number' ? results : 0,
    sections: Array.isArray(sections) ? sections.filter(isSection) : [],
  };
}

function isSection(value: unknown): value is LoggedSearch['read'][number] {
  if (typeof value !== 'object' || value === null) return false;
  const { file, section } = value as Record<string, unknown>;
  return typeof file === 'string' && typeof section === 'string' && section !== '';
}
