// The work of operations, and the one way to make a change.

export { type Change, change } from './change.ts';
export type { Act, Handlers, OperationCall } from './operation.ts';
