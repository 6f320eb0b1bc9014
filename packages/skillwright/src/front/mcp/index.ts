// The gateway as an MCP server.

export { mcp } from './mcp.ts';
export { serveAsDeputy } from './serve-as-deputy.ts';
