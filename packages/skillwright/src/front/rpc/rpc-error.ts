// Errors of the protocol itself; failures of skills are a SkillwrightError.

/** Codes of JSON-RPC 2.0, plus one for every expected failure, identified by `data.code`. */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  failed: -32000,
} as const;

/** A request that violates the protocol. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: keyof typeof rpcErrorCodes, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = rpcErrorCodes[code];
  }
}
