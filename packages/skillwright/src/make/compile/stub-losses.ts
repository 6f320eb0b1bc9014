// Features of a skill that its stub cannot provide: the host reads the stub, and never sees the source.

import { type MarkdownDocument, readMarkdown } from '../../base/markdown/index.ts';
import { findCommands, placeholderPattern, splitWords } from '../../skill/format/index.ts';
import type { Skill } from '../../skill/skill/index.ts';

/** The features that a stub of the skill loses, worded for a message; empty if it loses none. */
export function stubLosses({ frontmatter, parts }: Pick<Skill, 'frontmatter' | 'parts'>): string[] {
  const { body } = parts;
  return [
    ...(isFilled(frontmatter.hooks) ? ['hooks'] : []),
    ...(frontmatter.context === 'fork' ? ['context: fork'] : []),
    ...substitutions(body, frontmatter),
    ...(findCommands(body).length > 0 ? ['dynamic context'] : []),
  ];
}

/** Hooks are lists by event; empty ones do not count. */
function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string';
  return Object.values(value).some((list) => !Array.isArray(list) || list.length > 0);
}

/** The placeholders in the body that a host fills in, each once, the first three by name. */
function substitutions(body: string, frontmatter: Readonly<Record<string, unknown>>): string[] {
  if (!body.includes('$')) return [];
  const names = namesOf(frontmatter.arguments);
  const takesArguments =
    names.length > 0 || frontmatter['argument-hint'] !== undefined || /\$ARGUMENTS(?!\w)/.test(body);
  const found = new Set<string>();
  const isCode = takesArguments ? () => false : codeIn(body);
  for (const match of body.matchAll(new RegExp(placeholderPattern(names), 'gu'))) {
    const { escaped, variable, all, bracketed, index, name } = match.groups ?? {};
    if (escaped !== undefined) continue;
    if (variable?.startsWith('CLAUDE_')) found.add(match[0]);
    if (all !== undefined || bracketed !== undefined || name !== undefined) found.add(match[0]);
    // `$1` is an argument; `$5 a month` and `awk '{ print $1 }'` are not. Without other arguments, it counts only in prose.
    if (index !== undefined && (takesArguments || isArgument(body, match, isCode))) found.add(match[0]);
  }
  const all = [...found];
  return all.length > 3 ? [...all.slice(0, 3), `${all.length - 3} more placeholders`] : all;
}

function namesOf(value: unknown): string[] {
  if (typeof value === 'string') return splitWords(value);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function isArgument(body: string, match: RegExpMatchArray, isCode: (at: number) => boolean): boolean {
  const at = match.index!;
  const after = body.slice(at + match[0].length, at + match[0].length + 12);
  const isAmount =
    /^(?:[.,/–-]?\d|\s*(?:[-–/]|[kKmMbB]\b|per\b|a (?:month|day|year)|million|billion|USD))/.test(after);
  return /^\$\d$/.test(match[0]) && !isAmount && !isCode(at);
}

/** Whether an offset in the body is inside code. */
function codeIn(body: string): (at: number) => boolean {
  let blocks: MarkdownDocument['codeBlocks'] | undefined;
  return (at) => {
    blocks ??= readMarkdown(body).codeBlocks;
    const line = body.slice(0, at).split('\n').length;
    if (blocks.some((block) => block.line <= line && line <= block.endLine)) return true;
    const start = body.lastIndexOf('\n', at) + 1;
    return body.slice(start, at).split('`').length % 2 === 0;
  };
}
