// Which skill is chosen in place of which: precision and recall of each skill, over the requests of all of them.

import * as z from 'zod';
import { sha256 } from '../../base/files/index.ts';
import type { JudgedQuery } from './judge-queries.ts';

const share = z.number().nullable().describe('Null when there is nothing to divide by');

const Rates = z.object({
  requests: z.number().int(),
  passed: z.number().int(),
  precision: share,
  recall: share,
});

/** The matrix, as its cells that are not empty. */
export const Confusion = z.object({
  ...Rates.shape,
  skills: z
    .array(
      z.object({
        skill: z.string(),
        requests: z.number().int().describe('Requests that should choose it'),
        chosen: z.number().int().describe('Those that do'),
        wrongly_chosen: z.number().int().describe('Requests of any skill that choose it and should not'),
        precision: share,
        recall: share,
      }),
    )
    .describe('Each skill that should be or is chosen'),
  cells: z.array(
    z.object({
      expected: z.string().nullable().describe('Null when another skill or none may be chosen'),
      chosen: z.string().nullable().describe('Null for none'),
      requests: z.number().int(),
    }),
  ),
  held_out: Rates.describe('Rates of the requests that --improve does not see'),
});
export type Confusion = z.output<typeof Confusion>;

/** A judged request of a skill. */
export interface ConfusedQuery
  extends Pick<JudgedQuery, 'query' | 'should_trigger' | 'passed' | 'chosen' | 'held_out'> {
  /** The skill whose evals have it. */
  readonly owner: string;
  /** The skill that should be chosen; null when any other skill or none may be. */
  readonly expected: string | null;
}

/** The matrix of some requests. */
export function confusionOf(queries: readonly ConfusedQuery[]): Confusion {
  const names = [
    ...new Set(queries.flatMap(({ expected, chosen, passed }) => [expected, passed ? null : chosen])),
  ]
    .filter((name) => name !== null)
    .sort();
  const skills = names.map((skill) => {
    const requests = queries.filter(({ expected }) => expected === skill);
    const chosen = requests.filter((one) => one.chosen === skill).length;
    const wrong = queries.filter((one) => one.chosen === skill && isWrong(one)).length;
    return {
      skill,
      requests: requests.length,
      chosen,
      wrongly_chosen: wrong,
      precision: divide(chosen, chosen + wrong),
      recall: divide(chosen, requests.length),
    };
  });
  const cells = [...Map.groupBy(queries, ({ expected, chosen }) => JSON.stringify([expected, chosen]))].map(
    ([key, own]) => {
      const [expected, chosen] = JSON.parse(key) as [string | null, string | null];
      return { expected, chosen, requests: own.length };
    },
  );
  return {
    ...ratesOf(queries),
    skills,
    cells: cells.sort(
      (a, b) =>
        compareNames(a.expected, b.expected) || b.requests - a.requests || compareNames(a.chosen, b.chosen),
    ),
    held_out: ratesOf(queries.filter((one) => one.held_out)),
  };
}

/** The request chose a skill that it should not: another than the expected one, or the one it must not. */
const isWrong = ({ expected, chosen, owner }: ConfusedQuery) =>
  chosen !== null && (expected === null ? chosen === owner : chosen !== expected);

function ratesOf(queries: readonly ConfusedQuery[]) {
  const right = queries.filter(({ expected, chosen }) => expected !== null && chosen === expected).length;
  const wrong = queries.filter(isWrong).length;
  return {
    requests: queries.length,
    passed: queries.filter(({ passed }) => passed).length,
    precision: divide(right, right + wrong),
    recall: divide(right, queries.filter(({ expected }) => expected !== null).length),
  };
}

const divide = (part: number, whole: number): number | null =>
  whole === 0 ? null : Number((part / whole).toFixed(4));

const compareNames = (a: string | null, b: string | null) =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;

/** The share of requests that are held out, if no author chose them. */
const HELD_OUT = 0.3;

/** Marks the held-out part of the requests: what the files say, else about a third of them, always the same ones. */
export function holdOut<Query extends { readonly query: string; readonly isHeldOut?: boolean | undefined }>(
  queries: readonly Query[],
): Query[] {
  if (queries.some(({ isHeldOut }) => isHeldOut)) return [...queries];
  return queries.map((one) => ({
    ...one,
    isHeldOut: Number.parseInt(sha256(one.query).slice(0, 8), 16) / 2 ** 32 < HELD_OUT,
  }));
}
