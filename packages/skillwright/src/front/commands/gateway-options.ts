// What the commands that read the index have in common.

import * as z from 'zod';
import type { GatewayOptions } from '../../read/gateway/index.ts';
import { readConfig } from '../../skill/config/index.ts';
import type { CommandContext } from './command-context.ts';
import { quizMemoryOf } from './quiz-gate.ts';

/** `--fresh`, the same on every command that needs the index. */
export const fresh = z
  .boolean()
  .default(false)
  .describe('Build a missing or stale index first instead of failing');

/** The gateway's options from a command's flag and the configuration. */
export async function gatewayOptions(
  input: { fresh: boolean; author: boolean },
  context: CommandContext,
): Promise<GatewayOptions> {
  const { search, gateway } = await readConfig(context);
  return {
    context,
    tokenizer: search.tokenizer,
    fresh: input.fresh || gateway.auto_build,
    author: input.author,
    quizMemory: () => quizMemoryOf(context),
    async build({ dir }, base) {
      const { buildSkill } = await import('../../make/compile/build-skill.ts');
      const { home } = context;
      return buildSkill(dir, { base, home, tokenizer: search.tokenizer, force: false, now: context.now() })
        .runtime;
    },
  };
}
