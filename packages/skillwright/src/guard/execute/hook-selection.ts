// Selects the handlers of a skill for an event.

import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  formatCount,
  messageOf,
  quoteWord,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import {
  type FormatIssue,
  type HookEventRow,
  type HookHandler,
  hookEventRow,
  isMapping,
  readManifest,
  readSkillFields,
} from '../../skill/format/index.ts';
import { isTrusted, trustDigest } from './grant-memory.ts';
import { readSkillGrants, type SkillGrants } from './skill-access.ts';

/** Limit of handlers per skill and event; each runs in its own sandbox. */
const MAX_HANDLERS = 32;

/** A handler to run. */
export interface SelectedHook {
  readonly skill: SkillGrants;
  readonly handler: HookHandler;
  /** Digest the user trusts; undefined when the host trusts the skill. */
  readonly digest: string | undefined;
  /** Identifies the handler and its skill. */
  readonly key: string;
}

/** The event and its surroundings. */
interface HookQuestion {
  readonly event: string;
  readonly payload: HookPayload;
  /** Home directory with the user's trust. */
  readonly home: string;
  readonly trusted?: ((dir: string) => boolean | undefined) | undefined;
}

/** Hooks that apply but cannot run. */
export interface UnaskedHooks {
  /** The skill and event, or the missing skill's path. */
  readonly label: string;
  readonly why: string;
  readonly help?: string | undefined;
}

/** The hooks of one skill for an event. */
interface HookSelection {
  readonly hooks: readonly SelectedHook[];
  /** Why other hooks do not run. */
  readonly unasked: readonly UnaskedHooks[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a skill has a handler for an event; false when it cannot be read. */
export async function hasHooks(
  directory: string,
  question: Pick<HookQuestion, 'event' | 'payload'>,
): Promise<boolean> {
  try {
    const { handlers, broken } = await handlersOf(directory, question);
    return handlers.size + broken.length > 0;
  } catch (error) {
    if (error instanceof SkillwrightError) return false;
    throw error;
  }
}

/** The handlers, each once, and why others do not run. An untrusted skill has none. Total. */
export async function selectHooks(directory: string, question: HookQuestion): Promise<HookSelection> {
  try {
    const dir = realpathSync.native(directory);
    const { handlers, diagnostics, broken } = await handlersOf(dir, question);
    if (handlers.size + broken.length === 0) return { hooks: [], unasked: [], diagnostics };
    const skill = readSkillGrants(dir, question);
    const answer = question.trusted?.(dir);
    const digest = answer === undefined ? trustDigest(skill) : undefined;
    const isAllowed = digest === undefined ? answer : isTrusted(question.home, { dir, digest });
    const label = `${skill.name}: ${question.event}`;
    if (!isAllowed) {
      const help = `read its hooks, then trust it with 'skc tools ${quoteWord(dir)} --trust'`;
      const why = 'you have not trusted this skill';
      return { hooks: [], unasked: [{ label, why, help }], diagnostics };
    }
    const hooks = [...handlers].map(([key, handler]) => ({ skill, handler, digest, key: `${dir}\0${key}` }));
    const unused = hooks.splice(MAX_HANDLERS).length;
    const more = `${formatCount(unused, 'handler')} over the limit of ${MAX_HANDLERS}`;
    const reasons = [...broken, ...(unused > 0 ? [more] : [])];
    return { hooks, unasked: reasons.map((why) => ({ label, why })), diagnostics };
  } catch (error) {
    return { hooks: [], unasked: [{ label: directory, why: messageOf(error) }], diagnostics: [] };
  }
}

async function handlersOf(
  dir: string,
  { event, payload }: Pick<HookQuestion, 'event' | 'payload'>,
): Promise<{ handlers: Map<string, HookHandler>; diagnostics: Diagnostic[]; broken: string[] }> {
  const { hooks: written } = readSkillFields(dir);
  const { manifest, issues } = readManifest({ hooks: written ?? {} });
  const { hooks = {} } = manifest;
  const handlers = new Map<string, HookHandler>();
  const diagnostics: Diagnostic[] = [];
  for (const { matcher, hooks: group } of Object.hasOwn(hooks, event) ? hooks[event]! : []) {
    const match = await matchEvent(matcher, event, payload);
    if (match === 'no') continue;
    if (match === 'unusable') {
      const help = 'its handlers run for every value, to be safe';
      const why = 'its matcher is not a valid pattern';
      diagnostics.push(diagnose('W080', { hook: matcher!, why }, { help }));
    }
    for (const handler of group)
      if (await meetsRule(handler.if, event, payload))
        handlers.set(JSON.stringify([event, handler]), handler);
  }
  const broken: string[] = [];
  for (const { path, message } of issues)
    if ((path[1] ?? event) === event && (await mayMatch(written, path, { event, payload })))
      broken.push(`it cannot be read: ${message}`);
  return { handlers, diagnostics, broken };
}

/** Whether a broken entry applies to the event. If its matcher is broken too, it does. */
async function mayMatch(
  hooks: unknown,
  [, event, group]: FormatIssue['path'],
  at: Pick<HookQuestion, 'event' | 'payload'>,
): Promise<boolean> {
  const groups = isMapping(hooks) && typeof event === 'string' ? hooks[event] : undefined;
  const own: unknown = Array.isArray(groups) && typeof group === 'number' ? groups[group] : undefined;
  const matcher = isMapping(own) ? own.matcher : undefined;
  if (typeof matcher !== 'string') return true;
  return (await matchEvent(matcher, at.event, at.payload)) !== 'no';
}

/** Payload of an event. */
export type HookPayload = Readonly<Record<string, unknown>>;

/** Result of a matcher; `unusable` when it is not valid. */
export type Match = 'yes' | 'no' | 'unusable';

/** A matcher of only these characters is a list of names. */
const NAMES = /^[\w\-, |]*$/;

/** Compares the matcher of a group with an event. Patterns may match anywhere in a value; they take linear time. */
export async function matchEvent(
  matcher: string | undefined,
  event: string,
  payload: HookPayload,
): Promise<Match> {
  const value = matchedValue(hookEventRow(event), payload);
  if (matcher === undefined || matcher === '' || matcher === '*' || value === undefined) return 'yes';
  if (event === 'FileChanged') return yesNo(matcher.split('|').includes(basename(value)));
  if (NAMES.test(matcher))
    return yesNo(
      matcher
        .split(/[|,]/)
        .map((name) => name.trim())
        .includes(value),
    );
  try {
    const { RE2JS } = await import('re2js');
    return yesNo(RE2JS.compile(matcher).matcher(value).find());
  } catch {
    return 'unusable';
  }
}

const yesNo = (matches: boolean): Match => (matches ? 'yes' : 'no');

/** The value to match; undefined for an event without one, where matchers are ignored. */
function matchedValue({ matches }: HookEventRow, payload: HookPayload): string | undefined {
  if (matches === undefined) return undefined;
  const value = payload[matches];
  return typeof value === 'string' ? value : '';
}

/**
 * Whether a tool call matches a rule such as `Bash(git *)` or `Edit(*.ts)`. If in doubt it matches: a guard
 * should run once too often. On events without a tool no rule matches.
 */
export async function meetsRule(
  rule: string | undefined,
  event: string,
  payload: HookPayload,
): Promise<boolean> {
  if (rule === undefined) return true;
  if (hookEventRow(event).matches !== 'tool_name') return false;
  const parts = /^([\w-]+)(?:\((.*)\))?$/s.exec(rule.trim());
  if (parts === null) return true;
  const [, tool, pattern] = parts;
  if (tool !== payload.tool_name) return false;
  if (pattern === undefined || pattern === '' || pattern === '*') return true;
  const input = isMapping(payload.tool_input) ? payload.tool_input : {};
  if (typeof input.command === 'string')
    return anyMatches(commandsIn(input.command), pattern, { star: '.*' });
  const path = ['file_path', 'notebook_path', 'path'].map((key) => input[key]).find(isText);
  if (path !== undefined) {
    const subject = pattern.includes('/') ? path : basename(path);
    return anyMatches([subject], pattern, { star: '[^/]*' });
  }
  const other = ['url', 'query', 'pattern', 'prompt'].map((key) => input[key]).find(isText);
  return other === undefined || anyMatches([other], pattern, { star: '.*' });
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The commands of a shell line, split at separators. */
function commandsIn(line: string): string[] {
  return [line, ...line.split(/&&|\|\||[;|&\n]/)].map((command) => command.trim());
}

/** Matches texts against a pattern in which a star means `star` and two stars anything. */
async function anyMatches(
  texts: readonly string[],
  pattern: string,
  { star }: { readonly star: string },
): Promise<boolean> {
  const { RE2JS } = await import('re2js');
  // `git:*` means git with or without arguments.
  const prefix = /^(.*):\*$/s.exec(pattern)?.[1];
  const written = (prefix ?? pattern).split(/(\*+)/);
  const source = written
    .map((part) => (part.startsWith('**') ? '.*' : part === '*' ? star : RE2JS.quote(part)))
    .join('');
  const end = prefix === undefined ? '' : '(?:\\s.*)?';
  const start = pattern.includes('/') && !pattern.startsWith('/') && star !== '.*' ? '(?:.*/)?' : '';
  const compiled = RE2JS.compile(`^(?:${start}${source}${end})$`, RE2JS.DOTALL);
  return texts.some((text) => compiled.matcher(text).find());
}
