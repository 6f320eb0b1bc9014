// Agent types a forked skill can request, and how a skill runs.

import { readFlag } from './read-flag.ts';

/** An agent type every host should know. Any other name refers to a user-defined agent. */
export interface AgentType {
  readonly type: string;
  /** Null: the conversation's model. */
  readonly model: string | null;
  readonly tools: 'read-only' | 'terminal' | 'all';
  readonly use: string;
}

/** Known agent types. */
const agentTypes: readonly AgentType[] = [
  { type: 'Explore', model: 'haiku', tools: 'read-only', use: 'finding files, searching code' },
  { type: 'Plan', model: null, tools: 'read-only', use: 'reading a code base to make a plan' },
  { type: 'Bash', model: null, tools: 'terminal', use: 'running commands outside the conversation' },
  { type: 'general-purpose', model: null, tools: 'all', use: 'multi-step tasks' },
];

/** How a skill runs. */
interface InvocationKind {
  readonly mode: 'inline' | 'fork';
  /** Agent type of a fork; null inline. */
  readonly agent: string | null;
  /** Details of a known type; null inline and for a user-defined agent. */
  readonly agentType: AgentType | null;
  /** Whether it changes how the agent works from then on; such skills are listed as modes. */
  readonly isMode: boolean;
}

/** Reads from the fields how a skill runs. Never throws. */
export function readInvocation(data: Readonly<Record<string, unknown>>): InvocationKind {
  const isMode = readFlag(data.mode) ?? false;
  if (data.context !== 'fork') return { mode: 'inline', agent: null, agentType: null, isMode };
  const written = typeof data.agent === 'string' ? data.agent.trim() : '';
  const agent = written === '' ? 'general-purpose' : written;
  const agentType = agentTypes.find(({ type }) => type === agent) ?? null;
  return { mode: 'fork', agent, agentType, isMode };
}
