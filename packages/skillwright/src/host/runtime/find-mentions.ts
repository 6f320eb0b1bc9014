// Skills that a user names in a message: `$name`, or `[$name](path)` for exactly one.

import { readMarkdown } from '../../base/markdown/index.ts';
import { type NamePolicy, recordAt, recordsNamed } from '../../read/access/index.ts';
import type { SkillCatalog, SkillRecord } from '../../read/catalog/index.ts';
import type { Reason } from '../../skill/judge/index.ts';
/** One mention of something the catalog knows. */
export interface Mention {
  /** As written, and where it stands in the text. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The skill; null when it cannot be said or may not be used. */
  readonly skill: SkillRecord | null;
  /** Why there is none. */
  readonly problem: 'ambiguous' | 'denied' | 'model-only' | 'unavailable' | 'not-in-catalog' | null;
  /** Paths of the skills that are meant when the name is ambiguous. */
  readonly candidates: readonly string[];
}

/** What mentions are checked against. */
export interface MentionOptions {
  readonly catalog: SkillCatalog;
  readonly cwd: string;
  readonly home: string;
  readonly policy: NamePolicy;
  readonly hidden: (skill: SkillRecord) => Reason | undefined;
}

const mentionPattern =
  /\[\$(?<linked>[^\]\s]+)\]\((?:<(?<angled>[^<>\n]+)>|(?<path>[^()\s]+))\)|(?<![\\$\w{])\$(?<name>[\p{L}\p{N}][\p{L}\p{N}_.:-]*)/gu;

/** The mentions in a text, in order, each skill once. Words that no skill is called, such as `$HOME`, are none. */
export function findMentions(text: string, options: MentionOptions): Mention[] {
  const mentions: Mention[] = [];
  const seen = new Set<string>();
  const inCode = codeTester(text);
  for (const match of text.matchAll(mentionPattern)) {
    if (inCode(match.index)) continue;
    const { linked, angled, path, name } = match.groups!;
    const mention =
      linked === undefined
        ? named(name!, match.index, options)
        : exact(match[0], { name: linked, path: (angled ?? path)!, start: match.index }, options);
    const key = mention?.skill?.path ?? `${mention?.name}\0${mention?.problem}`;
    if (mention === undefined || seen.has(key)) continue;
    seen.add(key);
    mentions.push(mention);
  }
  return mentions;
}

function exact(
  text: string,
  link: { name: string; path: string; start: number },
  options: MentionOptions,
): Mention | undefined {
  const skill = recordAt(options.catalog, link.path, options);
  const base = { text, start: link.start, end: link.start + text.length, name: skill?.name ?? link.name };
  if (skill === undefined) return { ...base, skill: null, problem: 'not-in-catalog', candidates: [] };
  return settle(base, [skill], options);
}

function named(written: string, start: number, options: MentionOptions): Mention | undefined {
  // A name at the end of a sentence is followed by its punctuation.
  const spellings = new Set([written, written.replace(/[.:_-]+$/, '')]);
  for (const name of spellings) {
    const records = recordsNamed(options.catalog, name);
    const exactly = records.filter((record) => record.name === name);
    // In capitals it is a variable of the environment, unless a skill is called exactly so.
    const candidates = /^[A-Z0-9_]+$/.test(name) ? exactly : records;
    if (candidates.length === 0) continue;
    const text = `$${name}`;
    return settle({ text, start, end: start + text.length, name: candidates[0]!.name }, candidates, options);
  }
  return undefined;
}

/** The one that may be used. What is disabled does not exist, so naming it is no mention. */
function settle(
  base: Pick<Mention, 'text' | 'start' | 'end' | 'name'>,
  records: readonly SkillRecord[],
  { hidden, policy }: MentionOptions,
): Mention | undefined {
  const usable = records.filter((record) => hidden(record) === undefined);
  const [skill, ...others] = usable;
  if (skill === undefined) {
    const reason = records.map(hidden).find((why) => why !== 'disabled');
    if (reason === undefined || reason === 'user-only') return undefined;
    return { ...base, skill: null, problem: reason, candidates: [] };
  }
  if (others.length === 0 || policy === 'precedence')
    return { ...base, skill, problem: null, candidates: [] };
  return { ...base, skill: null, problem: 'ambiguous', candidates: usable.map(({ path }) => path) };
}

/** Whether an offset lies in a fenced code block. */
function codeTester(text: string): (offset: number) => boolean {
  if (!/(?:`{3}|~{3})/.test(text)) return () => false;
  const blocks = readMarkdown(text).codeBlocks;
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  const ranges = blocks.map(
    ({ line, endLine }) => [starts[line - 1] ?? 0, starts[endLine] ?? text.length] as const,
  );
  return (offset) => ranges.some(([from, to]) => offset >= from && offset < to);
}
