// Adds cases to the evals of a skill.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, readInside, refuseLinks, writeFileAtomic } from '../../base/files/index.ts';
import type { ProposedCases } from './propose-cases.ts';
import { MAX_BYTES, QUERY_FILE, QUESTION_FILE } from './read-evals.ts';

/** A file with new cases. */
interface WrittenEvals {
  /** Relative to the skill. */
  readonly file: string;
  /** Text of each new case. */
  readonly added: readonly string[];
}

/**
 * Appends the cases and keeps those there are. E015 when a file is not a list of cases, E017 when a link is in the way; a dry
 * run fails for the same reasons, and writes nothing.
 */
export function writeEvals(
  dir: string,
  cases: ProposedCases,
  { dryRun }: { readonly dryRun: boolean },
): WrittenEvals[] {
  const own = 'eval_queries.json';
  const queryFile = readCases(dir, own) === undefined ? QUERY_FILE : own;
  const files = [
    { file: queryFile, cases: cases.queries, added: cases.queries.map(({ query }) => query) },
    { file: QUESTION_FILE, cases: cases.questions, added: cases.questions.map(({ question }) => question) },
  ].filter(({ added }) => added.length > 0);
  const texts = files.map(({ file, cases: more }) => {
    refuseLinks(dir, join(dir, file));
    return `${JSON.stringify([...(readCases(dir, file) ?? []), ...more], null, 2)}\n`;
  });
  if (!dryRun)
    for (const [index, { file }] of files.entries()) {
      const path = join(dir, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileAtomic(path, texts[index]!);
    }
  return files.map(({ file, added }) => ({ file, added }));
}

function readCases(dir: string, file: string): unknown[] | undefined {
  const bytes = readInside(dir, file, { maxBytes: MAX_BYTES });
  if (bytes === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(decodeText(bytes).text);
  } catch (error) {
    throw unusable(file, (error as Error).message);
  }
  if (!Array.isArray(value)) throw unusable(file, 'expected a list of cases');
  return value;
}

function unusable(file: string, why: string): SkillwrightError {
  return SkillwrightError.of(
    'E015',
    { path: file, why },
    { help: 'correct the file, then run skc test --write again' },
  );
}
