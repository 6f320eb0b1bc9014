// Events agents raise for hooks, as Claude Code documents them: the value a matcher is compared with, and the effect
// a hook can have.

/** Properties of an event. */
export interface HookEventRow {
  /** Payload field that matchers are compared with; absent when matchers are ignored. */
  readonly matches?: string;
  /** Whether exit status 2 blocks the action. `said`: only the hook's JSON output can block it. */
  readonly blocks?: true | 'said';
  /**
   * Result when a hook cannot run or its output is not understood: the event decides whether an action happens, and
   * no hook has allowed it. Absent when blocking would only keep the agent going, or nothing can be blocked.
   */
  readonly fails?: 'block' | 'ask';
  /** Whether plain text on standard output goes to the model. */
  readonly speaks?: true;
}

/** Every known event. */
export const hookEvents = {
  SessionStart: { matches: 'source', speaks: true },
  Setup: { matches: 'trigger' },
  InstructionsLoaded: { matches: 'load_reason' },
  UserPromptSubmit: { blocks: true, fails: 'block', speaks: true },
  UserPromptExpansion: { matches: 'command_name', blocks: true, fails: 'block', speaks: true },
  MessageDisplay: {},
  PreToolUse: { matches: 'tool_name', blocks: true, fails: 'block' },
  PermissionRequest: { matches: 'tool_name', blocks: 'said', fails: 'ask' },
  PermissionDenied: { matches: 'tool_name' },
  // The tool has already run: blocking only stops its result from passing without comment.
  PostToolUse: { matches: 'tool_name', blocks: true },
  PostToolUseFailure: { matches: 'tool_name', blocks: true },
  PostToolBatch: { blocks: true },
  Notification: { matches: 'notification_type' },
  SubagentStart: { matches: 'agent_type' },
  SubagentStop: { matches: 'agent_type', blocks: true },
  TaskCreated: { blocks: true, fails: 'block' },
  TaskCompleted: { blocks: true },
  Stop: { blocks: true },
  StopFailure: { matches: 'error' },
  TeammateIdle: { blocks: true },
  ConfigChange: { matches: 'source', blocks: true, fails: 'block' },
  CwdChanged: {},
  DirectoryAdded: { matches: 'source' },
  FileChanged: { matches: 'file_path' },
  WorktreeCreate: { blocks: true, fails: 'block' },
  WorktreeRemove: { blocks: true, fails: 'block' },
  PreCompact: { matches: 'trigger', blocks: true },
  PostCompact: { matches: 'trigger' },
  PreModelSwitch: { matches: 'to_model', blocks: true, fails: 'block' },
  PostModelSwitch: { matches: 'to_model', speaks: true },
  Elicitation: { matches: 'mcp_server_name', blocks: true, fails: 'block' },
  ElicitationResult: { matches: 'mcp_server_name', blocks: true, fails: 'block' },
  SessionEnd: { matches: 'reason' },
} as const satisfies Record<string, HookEventRow>;

/** Name of a known event. */
type HookEvent = keyof typeof hookEvents;

/** The row of an event. Unknown events match by tool and can be blocked, so that a guard keeps working. */
export function hookEventRow(event: string): HookEventRow {
  return Object.hasOwn(hookEvents, event)
    ? hookEvents[event as HookEvent]
    : { matches: 'tool_name', blocks: true, fails: 'block' };
}
