// Tools of a session, for hosts and frameworks without an adapter.

export { type BoundTool, bindTools, type ToolOptions } from './bind-tools.ts';
export { type SessionTool, type SessionToolName, sessionTools } from './session-tools.ts';
