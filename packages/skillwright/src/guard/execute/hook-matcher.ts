// Checks whether a hook applies to an event: by its matcher and its optional rule.

import { basename } from 'node:path';
import { type HookEventRow, hookEventRow, isMapping } from '../../skill/format/index.ts';

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
