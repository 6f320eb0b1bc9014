// The tools of a session for a host or framework that has no adapter of its own.

export { type BoundTool, bindTools, type ToolOptions } from './bind-tools.ts';
export type { CallOptions, SessionTool, SessionToolName } from './define-tool.ts';
export { sessionTools } from './session-tools.ts';
