// skillwright/mcp: the MCP server of `skc`, and its parts for servers of other collections of skills.

export { createAskedStates } from './ask-person.ts';
export type { Backend, Caller, ToolCall } from './backend.ts';
export { failedCall } from './call-tool.ts';
export { createServer, type ServerIdentity, type Serving } from './create-server.ts';
export { serveAsDeputy } from './deputy-backend.ts';
export { describeTool, loadTools, type ServedTool } from './load-tools.ts';
export { mcp } from './mcp.ts';
export {
  type DeskCall,
  type DeskEntry,
  type DeskResult,
  openReadingDesk,
  type ReadingDesk,
  readParameters,
} from './reading-desk.ts';
export type { ServedSource } from './skill-source.ts';
