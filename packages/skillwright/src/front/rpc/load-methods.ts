// Methods of the protocol, from the shared operation table.

import { type AnyOperation, rpcMethods } from '../commands/index.ts';

let loading: Promise<ReadonlyMap<string, AnyOperation>> | undefined;

/** Every method by name. Loaded once, all together, so that messages start in order of arrival. */
export function loadMethods(): Promise<ReadonlyMap<string, AnyOperation>> {
  loading ??= Promise.all(
    Object.entries(rpcMethods).map(async ([name, { load }]) => [name, await load()] as const),
  ).then((methods) => new Map(methods));
  return loading;
}
