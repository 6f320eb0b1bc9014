// skillwright/rpc: the protocol of `skc rpc`, for whoever writes a client or another server of it.

export { answerLine } from './answer-message.ts';
export { type Connection, createConnection, type OpenedFolder, type Surroundings } from './connection.ts';
export type { AnyRpcMethod, RpcMethod } from './define-method.ts';
export { rpc } from './rpc.ts';
export { RpcError, rpcErrorCodes } from './rpc-error.ts';
export { type RpcMethodName, rpcMethods } from './rpc-methods.ts';
export { type RpcMethodSchema, rpcSchemas } from './rpc-schemas.ts';
