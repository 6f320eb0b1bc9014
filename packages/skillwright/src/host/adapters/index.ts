// Tools of a session, for hosts and frameworks without an adapter.

export { type BoundTool, bindTools, type ToolOptions } from './bind-tools.ts';
export type { CallOptions, SessionTool, SessionToolName } from './define-tool.ts';
export { sessionTools } from './session-tools.ts';
