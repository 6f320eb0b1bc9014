// Limits of a run with models: calls and cost. A call that could exceed them is not made.

import { estimateTokens } from '../../base/tokens/index.ts';
import type { Model, ModelAnswer, ModelRequest } from './model.ts';

/** The limits, and what was used. */
export interface ModelBudget {
  /** Asks within the limits. Throws BudgetSpent instead of a call that could exceed them. */
  ask(model: Model, request: ModelRequest): Promise<CountedAnswer>;
  readonly calls: number;
}

/** An answer and its cost; null when the prices or the tokens are unknown. */
export interface CountedAnswer extends ModelAnswer {
  readonly cost: number | null;
}

/** A limit is reached. */
export class BudgetSpent extends Error {}

/** Opens a budget. */
export function openBudget({
  maxCalls,
  maxCost,
}: {
  readonly maxCalls: number;
  readonly maxCost: number | undefined;
}): ModelBudget {
  let calls = 0;
  let spent = 0;
  /** Upper bounds of the calls under way. */
  let reserved = 0;
  return {
    get calls() {
      return calls;
    },
    async ask(model, request) {
      if (calls >= maxCalls) throw new BudgetSpent(`the limit of ${maxCalls} calls is reached (--max-calls)`);
      const most = dearest(model, request);
      if (maxCost !== undefined && spent + reserved + most > maxCost)
        throw new BudgetSpent(`the next call could exceed the limit of ${maxCost} (--max-cost)`);
      calls += 1;
      reserved += most;
      try {
        const answer = await model.ask(request);
        const cost = priceOf(model, answer);
        // Without a count, the upper bound counts.
        spent += cost ?? most;
        return { ...answer, cost };
      } finally {
        reserved -= most;
      }
    },
  };
}

const MILLION = 1_000_000;

function priceOf({ prices }: Model, { inputTokens, outputTokens }: ModelAnswer): number | null {
  if (prices === undefined || inputTokens === null || outputTokens === null) return null;
  return (inputTokens * prices.input + outputTokens * prices.output) / MILLION;
}

/** The most a call may cost: the estimated size of the request, and the longest answer. */
function dearest({ prices, maxTokens }: Model, { system, turns, tools = [] }: ModelRequest): number {
  if (prices === undefined) return 0;
  const sent = estimateTokens(`${system}${JSON.stringify(turns)}${JSON.stringify(tools)}`);
  return (sent * prices.input + maxTokens * prices.output) / MILLION;
}
