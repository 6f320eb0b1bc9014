// Lifecycle hooks of a skill: event → groups of handlers, in the form of Claude Code's settings.

import * as z from 'zod';
import { suggest } from '../../base/diagnostics/index.ts';
import { FilledText, Flag, mustBe, schemaIssues, Text, WebAddress } from './field-shapes.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { hookEvents } from './hook-events.ts';

/** The kinds of handlers. */
export const HOOK_TYPES = ['command', 'prompt', 'agent', 'http', 'mcp_tool'] as const;

const common = {
  /** Seconds before the handler is stopped. */
  timeout: z
    .number({ error: mustBe('a number of seconds') })
    .positive({ error: mustBe('a number of seconds above 0') })
    .optional(),
  /** Run at most once per session. */
  once: Flag.optional(),
  /** A permission rule such as `Bash(git *)` that the tool call must also match. */
  if: Text.optional(),
};

/** Handler of an event. Keys beyond those of its type are kept. */
export const HookHandler = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.literal('command'),
      command: FilledText,
      /** With arguments, the command is a program and runs without a shell. */
      args: z.array(Text, { error: mustBe('a list of texts') }).optional(),
      async: Flag.optional(),
      ...common,
    }),
    z.looseObject({ type: z.literal('prompt'), prompt: FilledText, model: Text.optional(), ...common }),
    z.looseObject({ type: z.literal('agent'), prompt: FilledText, model: Text.optional(), ...common }),
    z.looseObject({
      type: z.literal('http'),
      url: WebAddress,
      headers: z.record(z.string(), Text, { error: mustBe('a mapping of texts') }).optional(),
      ...common,
    }),
    z.looseObject({
      type: z.literal('mcp_tool'),
      server: FilledText,
      tool: FilledText,
      input: z.record(z.string(), z.unknown(), { error: mustBe('a mapping') }).optional(),
      ...common,
    }),
  ],
  {
    error: (issue) =>
      isMapping(issue.input)
        ? mustBe(`one of ${HOOK_TYPES.join(', ')}`)({ ...issue, input: issue.input.type })
        : mustBe("a mapping with a 'type'")(issue),
  },
);
export type HookHandler = z.infer<typeof HookHandler>;

/** Handlers for the tools a matcher names; without a matcher, for all tools. */
export const HookGroup = z.looseObject(
  {
    matcher: Text.optional(),
    hooks: z
      .array(HookHandler, { error: mustBe('a list of handlers') })
      .min(1, { error: 'must not be empty' }),
  },
  { error: mustBe("a mapping with 'hooks'") },
);
export type HookGroup = z.infer<typeof HookGroup>;

/** Nesting depth of a handler: event, group, `hooks`, position. */
export const HANDLER_DEPTH = 4;

/** The `hooks` field. */
export const Hooks = z.record(z.string(), z.array(HookGroup, { error: mustBe('a list of groups') }), {
  error: mustBe('a mapping of events'),
});
export type Hooks = z.infer<typeof Hooks>;

/** Events agents are known to raise. Others only draw a warning, because agents keep adding events. */
export const HOOK_EVENTS: readonly string[] = Object.keys(hookEvents);

/** The faults of a `hooks` value, with paths into the source. */
export function checkHooks(value: unknown): FormatIssue[] {
  const issues = schemaIssues(Hooks, { value: value ?? null, path: ['hooks'] });
  if (!isMapping(value)) return issues;
  for (const event of Object.keys(value)) {
    const help = unknownEvent(event);
    if (help === undefined) continue;
    issues.push({
      kind: 'unknown',
      field: 'hooks',
      path: ['hooks', event],
      message: `unknown event '${event}' in hooks`,
      help,
      severity: 'warning',
    });
  }
  return issues;
}

/** Advice for an event that no agent is known to raise; undefined for a known one. */
export function unknownEvent(event: string): string | undefined {
  if (HOOK_EVENTS.includes(event)) return undefined;
  const [closest] = suggest(event, HOOK_EVENTS, 1);
  return closest === undefined ? 'no agent is known to raise it' : `did you mean '${closest}'?`;
}
