// The file of `--output`: every answer of a run with a model, so that it can be looked at and resumed.

import { resolve } from 'node:path';
import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, readRegularFile, writeFileAtomic } from '../../base/files/index.ts';
import type { ModelReport } from './model-report.ts';
import { type DoneTrial, TrialResult } from './model-trial.ts';

const MARK = 'skc test results 1';
const MAX_BYTES = 512 * 1024 * 1024;

const ResultsFile = z.object({
  format: z.literal(MARK),
  trials: z.array(z.object({ key: z.string(), result: TrialResult })),
});

/** Results in a file by key; empty when there is no file. E267 for a file that skc test did not write. */
export function readResults(cwd: string, output: string): Map<string, TrialResult> {
  const path = resolve(cwd, output);
  const refuse = (why: string) => SkillwrightError.of('E267', { path: output, why });
  let value: unknown;
  try {
    const bytes = readRegularFile(path, { maxBytes: MAX_BYTES });
    if (bytes === undefined) return new Map();
    value = JSON.parse(decodeText(bytes).text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  const read = ResultsFile.safeParse(value);
  if (!read.success) throw refuse('skc test did not write it');
  // A run without an answer is tried again.
  return new Map(
    read.data.trials.flatMap(({ key, result }) => (result.error === null ? [[key, result] as const] : [])),
  );
}

/** Writes the file. */
export function writeResults(
  cwd: string,
  output: string,
  { trials, report }: { readonly trials: readonly DoneTrial[]; readonly report?: ModelReport },
): void {
  const rows = trials.map(({ of: { skill, source, position }, condition, run, key, result }) => ({
    skill,
    source,
    position,
    condition,
    run,
    key,
    result,
  }));
  const value = { format: MARK, report: report ?? null, trials: rows };
  writeFileAtomic(resolve(cwd, output), `${JSON.stringify(value, null, 2)}\n`);
}
