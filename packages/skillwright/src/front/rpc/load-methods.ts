// The methods of the protocol, made from the table that all front ends share.

import { type AnyOperation, rpcMethods } from '../commands/index.ts';

let loading: Promise<ReadonlyMap<string, AnyOperation>> | undefined;

/** Every method by its name. Loaded once, all together, so that messages are begun in the order they come in. */
export function loadMethods(): Promise<ReadonlyMap<string, AnyOperation>> {
  loading ??= Promise.all(
    Object.entries(rpcMethods).map(async ([name, { load }]) => [name, await load()] as const),
  ).then((methods) => new Map(methods));
  return loading;
}
