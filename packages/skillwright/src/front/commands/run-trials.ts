// Runs the planned trials, several at a time, until they are done, a limit is reached, or the model fails too often.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { BudgetSpent } from '../../host/models/index.ts';
import type { DoneTrial, Trial, TrialResult } from './trial.ts';

/** Failures in a row after which it stops. */
const MAX_FAILURES = 3;

/** Finished trials, and why it stopped early. */
interface RanTrials {
  readonly done: readonly DoneTrial[];
  readonly stopped: string | null;
}

/** Runs them in order. Throws the error of the model if it has not answered once, unless it is only slow. */
export async function runTrials(
  trials: readonly Trial[],
  {
    jobs,
    known,
    signal,
    onDone,
  }: {
    readonly jobs: number;
    /** Results of an earlier run, by key. */
    readonly known: ReadonlyMap<string, TrialResult>;
    readonly signal: AbortSignal;
    onDone(done: readonly DoneTrial[]): void;
  },
): Promise<RanTrials> {
  const done: (DoneTrial | undefined)[] = trials.map(({ execute: _, ...trial }) => {
    const result = known.get(trial.key);
    return result === undefined ? undefined : { ...trial, result };
  });
  const finished = () => done.filter((trial) => trial !== undefined);
  let next = 0;
  let failures = 0;
  let stopped: string | null = null;
  let failure: SkillwrightError | undefined;

  const runOne = async (index: number): Promise<void> => {
    const { execute, ...trial } = trials[index]!;
    try {
      done[index] = { ...trial, result: await execute() };
      failures = 0;
    } catch (error) {
      if (signal.aborted) stopped ??= 'interrupted';
      else if (error instanceof BudgetSpent) stopped ??= error.message;
      else if (error instanceof SkillwrightError && error.code === 'E266') {
        failure ??= error;
        failures += 1;
        done[index] = { ...trial, result: missing(error) };
        if (error.data?.final === true) stopped ??= error.message;
        else if (failures >= MAX_FAILURES) stopped ??= `${MAX_FAILURES} failures in a row: ${error.message}`;
      } else throw error;
    }
    onDone(finished());
  };
  const work = async (): Promise<void> => {
    while (stopped === null && next < trials.length) {
      if (signal.aborted) {
        stopped = 'interrupted';
        return;
      }
      const index = next++;
      if (done[index] === undefined) await runOne(index);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const all = finished();
  // One that answers too slowly leaves the results that need no model.
  const isSlow = /timed out/.test(failure?.message ?? '');
  if (
    failure !== undefined &&
    stopped !== null &&
    !isSlow &&
    all.every(({ result }) => result.error !== null)
  )
    throw failure;
  return { done: all, stopped };
}

function missing({ data, message }: SkillwrightError): TrialResult {
  return {
    passed: null,
    judged_by: null,
    why: '',
    as_text: false,
    error: typeof data?.why === 'string' ? data.why : message,
    answer: '',
    system: '',
    turns: [],
    input_tokens: null,
    output_tokens: null,
    cost: null,
    seconds: 0,
  };
}
