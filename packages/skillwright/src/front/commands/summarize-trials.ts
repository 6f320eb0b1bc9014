// Rates, intervals and differences from the runs with a model.

import { pairedDifference, wilsonInterval } from '../../make/evals/index.ts';
import { type ConditionName, conditions, type ModelCase, type ModelReport } from './model-report.ts';
import type { DoneTrial } from './trial.ts';

type Summary = Pick<ModelReport, 'cases' | 'conditions' | 'differences'>;

const order: readonly ConditionName[] = ['catalog', ...conditions];

/** The results of all runs. */
export function summarizeTrials(trials: readonly DoneTrial[], threshold: number): Summary {
  const byCase = [...Map.groupBy(trials, ({ of }) => of)];
  const cases = byCase.map(([of, own]): ModelCase => {
    const results = conditionsIn(own).map((condition) => summarizeCase(own, condition, threshold));
    // The condition that shows what the skill does; without the skill, nothing can fail.
    const decisive =
      results.find(({ condition }) => condition !== 'without' && condition !== 'whole') ??
      results.find(({ condition }) => condition === 'whole');
    const isLow = decisive?.rate !== undefined && decisive.rate !== null && decisive.rate < threshold;
    // Some runs that pass and an interval around the threshold say nothing; no run that passes says enough.
    const isFailed = isLow && (decisive.passed === 0 || !decisive.unclear);
    return {
      ...of,
      failed: isFailed && !of.proposed,
      conditions: results.map((one) => (one === decisive && isFailed ? { ...one, unclear: false } : one)),
    };
  });
  return {
    cases,
    conditions: conditionsIn(trials).map((condition) => {
      const own = trials.filter((trial) => trial.condition === condition);
      const verdicts = verdictsOf(own);
      return {
        condition,
        cases: new Set(own.filter(({ result }) => result.passed !== null).map(({ of }) => of)).size,
        ...rateOf(verdicts),
        ...usedBy(own),
      };
    }),
    differences: differencesIn(trials),
  };
}

function summarizeCase(
  trials: readonly DoneTrial[],
  condition: ConditionName,
  threshold: number,
): ModelCase['conditions'][number] {
  const own = trials.filter((trial) => trial.condition === condition);
  const rated = rateOf(verdictsOf(own));
  const unclear = rated.runs > 0 && rated.low < threshold && rated.high >= threshold;
  return {
    condition,
    ...rated,
    unclear,
    unjudged: own.filter(({ result }) => result.passed === null && result.error === null).length,
    errors: own.filter(({ result }) => result.error !== null).length,
    judged_by: [...new Set(own.flatMap(({ result }) => result.judged_by ?? []))],
    why:
      own
        .map(({ result }) => (result.passed === true ? '' : (result.error ?? result.why)))
        .find((why) => why !== '') ?? '',
    ...usedBy(own),
  };
}

const conditionsIn = (trials: readonly DoneTrial[]): ConditionName[] =>
  order.filter((name) => trials.some(({ condition }) => condition === name));

const verdictsOf = (trials: readonly DoneTrial[]): boolean[] =>
  trials.flatMap(({ result: { passed } }) => (passed === null ? [] : [passed]));

function rateOf(verdicts: readonly boolean[]) {
  const passed = verdicts.filter(Boolean).length;
  const { low, high } = wilsonInterval(passed, verdicts.length);
  return {
    runs: verdicts.length,
    passed,
    rate: verdicts.length === 0 ? null : roundTo(passed / verdicts.length),
    low: roundTo(low),
    high: roundTo(high),
  };
}

function usedBy(trials: readonly DoneTrial[]) {
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.length === 0 || numbers.some((number) => number === null)
      ? null
      : numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
  const answered = trials.flatMap(({ result }) => (result.error === null ? [result] : []));
  const cost = sum(answered.map((result) => result.cost));
  return {
    input_tokens: sum(answered.map((result) => result.input_tokens)),
    output_tokens: sum(answered.map((result) => result.output_tokens)),
    cost: cost === null ? null : Number(cost.toFixed(6)),
    seconds: Number(answered.reduce((total, { seconds }) => total + seconds, 0).toFixed(1)),
  };
}

/** The same run of the same case is a pair. */
function differencesIn(trials: readonly DoneTrial[]): ModelReport['differences'] {
  const found = conditionsIn(trials).filter((condition) => condition !== 'catalog');
  const verdicts = new Map(
    trials.map(({ of, run, condition, result }) => [`${trialKey(of)}\0${run}\0${condition}`, result.passed]),
  );
  const runs = new Map(trials.map(({ of, run }) => [`${trialKey(of)}\0${run}`, true]));
  return found.flatMap((from, index) =>
    found.slice(index + 1).flatMap((to) => {
      const pairs = [...runs.keys()].flatMap((key) => {
        const [first, second] = [verdicts.get(`${key}\0${from}`), verdicts.get(`${key}\0${to}`)];
        return typeof first === 'boolean' && typeof second === 'boolean' ? [{ first, second }] : [];
      });
      if (pairs.length === 0) return [];
      const { difference, low, high } = pairedDifference(pairs);
      return [
        {
          from,
          to,
          pairs: pairs.length,
          difference: roundTo(difference),
          low: roundTo(low),
          high: roundTo(high),
          is_clear: low > 0 || high < 0,
        },
      ];
    }),
  );
}

const trialKey = ({ path, source, position }: DoneTrial['of']) => `${path}\0${source}\0${position}`;

const roundTo = (value: number): number => Number(value.toFixed(4));
