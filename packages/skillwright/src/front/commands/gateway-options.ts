// Options that all commands reading the index share.

import type { GatewayOptions } from '../../read/gateway/index.ts';
import type { CommandContext } from './command-context.ts';
import { type Call, spellCall } from './spell-call.ts';

/** The gateway's options from a command's flag and the configuration. `call` is the operation, to say how to repeat it. */
export async function gatewayOptions(
  input: { fresh: boolean },
  { workspace, indexes, now, by }: CommandContext,
  call?: Call,
): Promise<GatewayOptions> {
  const { search, gateway } = await workspace.config();
  const { tokenizer } = search;
  return {
    workspace,
    tokenizer,
    fresh: input.fresh || gateway.auto_build,
    indexes,
    retry: call && (() => spellCall({ ...call, input: { ...call.input, fresh: true } }, by)),
    async build(dir, base) {
      const { rebuildSkill } = await import('../../make/compile/build-skill.ts');
      return rebuildSkill(dir, base, { workspace, now: now() });
    },
  };
}

/** The budget in tokens; infinite for a program, for a person at a terminal, and for one who said how much to list. */
export async function budgetOf(
  { budget, all }: { readonly budget?: number | undefined; readonly all: boolean },
  { isBudgeted = false, by, workspace }: CommandContext,
  isChosen = false,
): Promise<number> {
  if (all) return Number.POSITIVE_INFINITY;
  if (budget !== undefined) return budget;
  const isFree = !isBudgeted || (isChosen && by === 'user');
  return isFree ? Number.POSITIVE_INFINITY : (await workspace.config()).gateway.budget;
}
