// The last run over all skills of a project: what the next one is compared with, and what the studio shows.

import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { sha256, writeFileAtomic } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { Confusion } from './confusion.ts';

/** One run. */
export const EvalRun = z.object({
  at: z.string().describe('Time of the run'),
  confusion: Confusion,
  /** Requests, shortened to a hash: what they say stays in the evals. */
  passed: z.array(z.string()),
  failed: z.array(z.string()),
});
export type EvalRun = z.output<typeof EvalRun>;

/** Where the runs of a project are kept: with the user, because a repository has no place for it. */
const runFile = ({ user, project, cwd }: Workspace) =>
  join(user.cache, 'evals', `${sha256(project?.dir ?? cwd).slice(0, 24)}.json`);

/** Stands for a request of a skill. */
export const hashRequest = (skill: string, query: string): string =>
  sha256(`${skill}\0${query}`).slice(0, 16);

/** The last run; undefined if there is none, or an earlier version of skc wrote it. */
export function readLastRun(workspace: Workspace): EvalRun | undefined {
  const text = orUndefined(() => readFileSync(runFile(workspace), 'utf8'));
  return text === undefined
    ? undefined
    : EvalRun.safeParse(orUndefined(() => JSON.parse(text) as unknown)).data;
}

/** Keeps a run in the place of the one before. */
export function keepRun(workspace: Workspace, run: EvalRun): void {
  const place = runFile(workspace);
  mkdirSync(dirname(place), { recursive: true });
  writeFileAtomic(place, `${JSON.stringify(run)}\n`);
}
