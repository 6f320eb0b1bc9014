// The kinds of agent that a forked skill may ask for, and how a skill is carried out.

import { readFlag } from './read-flag.ts';

/** A kind of agent that every host should know. Any other name means an agent of the user's own. */
export interface AgentType {
  readonly type: string;
  /** Null: the model of the conversation. */
  readonly model: string | null;
  readonly tools: 'read-only' | 'terminal' | 'all';
  readonly use: string;
}

/** The kinds of agent. */
const agentTypes: readonly AgentType[] = [
  { type: 'Explore', model: 'haiku', tools: 'read-only', use: 'finding files, searching code' },
  { type: 'Plan', model: null, tools: 'read-only', use: 'reading a code base to make a plan' },
  { type: 'Bash', model: null, tools: 'terminal', use: 'running commands apart from the conversation' },
  { type: 'general-purpose', model: null, tools: 'all', use: 'tasks of many steps' },
];

/** How a skill is carried out. */
export interface InvocationKind {
  readonly mode: 'inline' | 'fork';
  /** The kind of agent for a fork; null inline. */
  readonly agent: string | null;
  /** What is known of that kind; null inline, and for an agent of the user's own. */
  readonly agentType: AgentType | null;
  /** Whether it changes how the agent works from then on, and is listed among the modes. */
  readonly isMode: boolean;
}

/** Reads how a skill is carried out from its fields. Total. */
export function readInvocation(data: Readonly<Record<string, unknown>>): InvocationKind {
  const isMode = readFlag(data.mode) ?? false;
  if (data.context !== 'fork') return { mode: 'inline', agent: null, agentType: null, isMode };
  const written = typeof data.agent === 'string' ? data.agent.trim() : '';
  const agent = written === '' ? 'general-purpose' : written;
  const agentType = agentTypes.find(({ type }) => type === agent) ?? null;
  return { mode: 'fork', agent, agentType, isMode };
}
