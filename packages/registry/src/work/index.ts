// The work of operations, and the one way to make a change.

export type { Act, Handlers, OperationCall } from './change.ts';
export { type Change, change } from './change.ts';
