// Options of the gateway for pages: they never build anything.

import type { GatewayOptions } from '../../../read/gateway/index.ts';
import type { CommandContext } from '../../commands/index.ts';

/** Reads indexes as they are. E002 where a command would build one. */
export async function quietGateway({ workspace, indexes }: CommandContext): Promise<GatewayOptions> {
  const { search } = await workspace.config();
  return {
    workspace,
    tokenizer: search.tokenizer,
    fresh: false,
    indexes,
    build: () => Promise.reject(new Error('a page never builds')),
  };
}
