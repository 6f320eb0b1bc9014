// Token budgets: the fields that set one, and the number in force.

import * as z from 'zod';
import type { CommandContext } from './command-context.ts';

/** `--budget` and `--all`, the same on every command whose answer grows with the skill. */
export const budgetFields = {
  budget: z.number().int().positive().optional().describe('Stop at about this many tokens'),
  all: z.boolean().default(false).describe('Print everything, without a budget'),
};

/** The budget in tokens; infinite for a person at a terminal, and for a program. */
export async function budgetOf(
  { budget, all }: { readonly budget?: number | undefined; readonly all: boolean },
  { isBudgeted = false, workspace }: CommandContext,
): Promise<number> {
  if (all) return Number.POSITIVE_INFINITY;
  if (budget !== undefined) return budget;
  return isBudgeted ? (await workspace.config()).gateway.budget : Number.POSITIVE_INFINITY;
}
