// Errors of the protocol itself; what goes wrong with skills is a SkillwrightError.

/** The codes of JSON-RPC 2.0, and the one for every expected failure, whose `data.code` says which. */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  failed: -32000,
} as const;

/** A request that is against the protocol. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: keyof typeof rpcErrorCodes, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = rpcErrorCodes[code];
  }
}
