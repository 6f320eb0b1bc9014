// The events agents raise for hooks, as Claude Code documents them: what a matcher is compared with, and what a hook can
// bring about.

/** What is particular about an event. */
export interface HookEventRow {
  /** The field of the payload that a matcher is compared with; absent when matchers are ignored. */
  readonly matches?: string;
  /** Whether exit status 2 keeps something from happening. `said`: no status does, but what the hook says in JSON. */
  readonly blocks?: true | 'said';
  /**
   * What follows when a hook cannot be run or gives no answer that is understood: the event decides whether something
   * happens, and nobody has said yes. Absent where blocking would only keep the agent going, or nothing can be blocked.
   */
  readonly fails?: 'block' | 'ask';
  /** Whether plain text on standard output is meant for the model. */
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
  // The tool has run by then: what blocks is its result going on without a word about it.
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

/** The name of a known event. */
export type HookEvent = keyof typeof hookEvents;

/** The row of an event; one nobody knows is matched by tool and can be blocked, so that a guard keeps guarding. */
export function hookEventRow(event: string): HookEventRow {
  return Object.hasOwn(hookEvents, event)
    ? hookEvents[event as HookEvent]
    : { matches: 'tool_name', blocks: true, fails: 'block' };
}
