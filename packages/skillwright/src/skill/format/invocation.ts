// How a skill is invoked: the agent it asks for, placeholders for arguments, and commands in its text.

import { readFlag } from './format-issue.ts';

/** An agent type every host should know. Any other name refers to a user-defined agent. */
interface AgentType {
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

/**
 * A pattern for `$ARGUMENTS`, `$ARGUMENTS[1]`, `$1`, `${VARIABLE}` and named arguments, plain or escaped; flags `gu`.
 * Its groups tell them apart.
 */
export function placeholderPattern(names: readonly string[]): string {
  const usable = names.filter((name) => /^[A-Za-z_][\w-]*$/.test(name) && name !== 'ARGUMENTS');
  // Longer names first, so that a shorter prefix does not match instead.
  const named = usable.toSorted((a, b) => b.length - a.length).join('|');
  const token = `ARGUMENTS(?:\\[\\d+\\])?|\\d+${named === '' ? '' : `|(?:${named})`}`;
  return [
    `\\\\(?<escaped>\\$(?:${token})(?!\\w)|\\$\\{\\w+\\})`,
    '\\$\\{(?<variable>\\w+)\\}',
    '(?<!\\$)\\$ARGUMENTS\\[(?<bracketed>\\d+)\\]',
    '(?<!\\$)\\$(?<all>ARGUMENTS)(?!\\w)',
    // `$B$6` and `A$1` are cells of a spreadsheet.
    '(?<!\\$|(?<![A-Za-z])[A-Z]{1,3})\\$(?<index>\\d+)(?!\\w)',
    ...(named === '' ? [] : [`(?<!\\$)\\$(?<name>${named})(?!\\w)`]),
  ].join('|');
}

/** One command; offsets count from the start of the body. */
export interface CommandPlace {
  readonly start: number;
  /** Offset after the command. */
  readonly stop: number;
  readonly source: string;
  readonly sourceStart: number;
  /** Line of the body, from 1. */
  readonly line: number;
}

const opening = /^(?<ticks>`{3,})![^\S\n]*\n|(?<=^|\s)!`(?<inline>[^`\n]+)`/gm;

/** The commands of a body in order, in linear time. */
export function findCommands(body: string): CommandPlace[] {
  const places: CommandPlace[] = [];
  const closings = Map.groupBy(body.matchAll(/^(`{3,})[^\S\n]*$/gm), (match) => match[1]!);
  let [stop, line, counted] = [0, 1, 0];
  for (const match of body.matchAll(opening)) {
    const start = match.index;
    if (start < stop) continue;
    const { ticks, inline } = match.groups!;
    const sourceStart = ticks === undefined ? start + 2 : start + match[0].length;
    let source = inline;
    if (ticks !== undefined) {
      const ends = closings.get(ticks) ?? [];
      while (ends[0] !== undefined && ends[0].index < sourceStart) ends.shift();
      if (ends[0] === undefined) continue;
      source = body.slice(sourceStart, ends[0].index).replace(/\n$/, '');
      stop = ends[0].index + ends[0][0].length;
    } else stop = start + match[0].length;
    for (let at = body.indexOf('\n', counted); at !== -1 && at < start; at = body.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    places.push({ start, stop, source: source!, sourceStart, line });
  }
  return places;
}
