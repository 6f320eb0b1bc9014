// What the commands that read the index have in common.

import { z } from 'zod';
import type { GatewayOptions } from '../gateway/open-gateway.ts';
import type { CommandContext } from './command-context.ts';

/** `--fresh`, the same on every command that needs the index. */
export const fresh = z.boolean().default(false).describe('Build a missing or stale index first instead of failing');

/** The gateway's options from a command's flag and the configuration. */
export async function gatewayOptions(input: { fresh: boolean }, context: CommandContext): Promise<GatewayOptions> {
  const { loadConfig } = await import('../config/load-config.ts');
  const { values, diagnostics } = loadConfig(context);
  for (const diagnostic of diagnostics) context.report(diagnostic);
  return { context, tokenizer: values.search.tokenizer, fresh: input.fresh || values.gateway.auto_build };
}
