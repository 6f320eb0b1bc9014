// MCP server for the gateway.

export { mcp } from './mcp.ts';
export { serveAsDeputy } from './serve-as-deputy.ts';
