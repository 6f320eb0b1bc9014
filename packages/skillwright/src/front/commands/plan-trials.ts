// Plans the runs of a skill's cases with a model.

import type { Trial } from './model-trial.ts';
import { planPrompt } from './plan-prompt.ts';
import { planQuery } from './plan-query.ts';
import { type PlannedSkill, type PlanOptions, repeat } from './trial-plan.ts';

/** The runs of one skill: every case under every condition, once per run. */
export async function planTrials(skill: PlannedSkill, options: PlanOptions): Promise<Trial[]> {
  const { queries, questions, tasks } = skill.evals;
  const trials: Trial[] = [];
  for (const query of queries) trials.push(...repeat(planQuery(skill, query, options), options));
  for (const question of questions)
    trials.push(...(await planPrompt(skill, { kind: 'question', given: question }, options)));
  for (const task of tasks) trials.push(...(await planPrompt(skill, { kind: 'task', given: task }, options)));
  return trials;
}
