// Methods of the protocol.

import type { AnyMethod } from '../commands/index.ts';

/** Every method by name, loaded with the first message. */
export async function loadMethods(): Promise<ReadonlyMap<string, AnyMethod>> {
  const { rpcMethods } = await import('../commands/session/methods.ts');
  return new Map(Object.entries(rpcMethods));
}
