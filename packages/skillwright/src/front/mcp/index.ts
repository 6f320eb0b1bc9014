// The gateway as an MCP server.

export { mcp } from './mcp.ts';
