// mcp

export { mcp } from './mcp.ts';
