// Sections that agents read in the same run: candidates for one section, or for a link.

import type { DatabaseSync } from 'node:sqlite';
import { compareBytes } from '../../base/files/index.ts';
import { readLog } from './open-log.ts';
import { factsIn } from './read-searches.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';

/** Two sections, and the number of runs that read both. */
interface SectionPair {
  readonly a: ReadSection;
  readonly b: ReadSection;
  readonly runs: number;
}

interface ReadSection {
  readonly file: string;
  readonly section: string;
}

/** Accesses looked at, latest first. */
const MAX_ROWS = 10_000;
/** Sections of one run that are paired; a run that reads everything says little. */
const MAX_OF_RUN = 20;

/** Pairs of sections, those of the most runs first. Empty without a log; E015 when it cannot be read. */
export function readTogether(skill: UsedSkill, limit: number): SectionPair[] {
  return readLog(skill, (database) => countPairs(database, skill.dir).slice(0, limit)) ?? [];
}

function countPairs(database: DatabaseSync, dir: string): SectionPair[] {
  const others = new Set(otherSkills(database, dir));
  const rows = database
    .prepare(
      `SELECT run_id, skill_path, args FROM access_log
       WHERE command = 'show' AND error IS NULL ORDER BY id DESC LIMIT ?`,
    )
    .all(MAX_ROWS);
  const runs = new Map<string, Map<string, ReadSection>>();
  for (const { run_id, skill_path, args } of rows) {
    if (others.has(String(skill_path))) continue;
    const run = runs.get(String(run_id)) ?? new Map<string, ReadSection>();
    runs.set(String(run_id), run);
    for (const one of factsIn(String(args)).sections)
      if (run.size < MAX_OF_RUN) run.set(keyOf(one), { file: one.file, section: one.section });
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
  return [...pairs].sort(([x, a], [y, b]) => b.runs - a.runs || compareBytes(x, y)).map(([, pair]) => pair);
}

const keyOf = ({ file, section }: ReadSection) => JSON.stringify([file, section]);
