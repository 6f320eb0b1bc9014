// Options that all commands reading the index share.

import * as z from 'zod';
import type { GatewayOptions } from '../../read/gateway/index.ts';
import type { CommandContext } from './command-context.ts';
import { type Call, spellCall } from './spell-call.ts';

/** `--fresh`, the same on every command that needs the index. */
export const fresh = z
  .boolean()
  .default(false)
  .describe('Rebuild a missing or outdated index instead of failing');

/** The gateway's options from a command's flag and the configuration. `call` is the operation, to say how to repeat it. */
export async function gatewayOptions(
  input: { fresh: boolean },
  { workspace, indexes, now, by }: CommandContext,
  call?: Call,
): Promise<GatewayOptions> {
  const { search, gateway, build } = await workspace.config();
  const { tokenizer } = search;
  return {
    workspace,
    tokenizer,
    fresh: input.fresh || gateway.auto_build,
    indexes,
    retry: call && spellCall({ ...call, input: { ...call.input, fresh: true } }, by),
    async build(dir, base) {
      const [{ buildSkill }, { hideNested }] = await Promise.all([
        import('../../make/compile/build-skill.ts'),
        import('../../make/compile/hide-nested.ts'),
      ]);
      const { home } = workspace;
      const hides = await hideNested(workspace);
      const configured = build.deploy;
      return buildSkill(dir, { base, home, tokenizer, force: false, now: now(), hides, configured }).runtime;
    },
  };
}
