// The tools of a session for a host or framework that has no adapter of its own.

export { type BoundTool, bindTools, type SessionTool, sessionTools } from './session-tools.ts';
