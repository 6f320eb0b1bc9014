// skillwright/rpc: the protocol of `skc rpc`, for authors of clients and servers.

export { answerLine } from './answer-message.ts';
export { type ConnectionOptions, createConnection } from './create-connection.ts';
export { serveRpcDeputy } from './deputy-answerer.ts';
export { loadMethods } from './load-methods.ts';
export { rpc } from './rpc.ts';
export { RpcError, rpcErrorCodes } from './rpc-error.ts';
export { RpcMethodSchema, rpcSchemas } from './rpc-schemas.ts';
