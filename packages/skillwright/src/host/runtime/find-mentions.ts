// Finds the skills a user names in a message: `$name`, or by path: `[$name](path)`, `[text](path)`, or a bare path.

import { readMarkdown } from '../../base/markdown/index.ts';
import { type NamePolicy, recordAt, recordsNamed } from '../../read/access/index.ts';
import type { SkillCatalog, SkillRecord } from '../../read/catalog/index.ts';
import type { Reason } from '../../skill/judge/index.ts';
import type { Mention } from '../answers/index.ts';

/** Skills and rules that mentions are checked against. */
interface MentionOptions {
  readonly catalog: SkillCatalog;
  readonly cwd: string;
  readonly home: string;
  readonly policy: NamePolicy;
  readonly hidden: (skill: SkillRecord) => Reason | undefined;
}

/** A link, a name, a quoted path, or a bare path with a separator in it. */
const mentionPattern =
  /\[(?<dollar>\$)?(?<linked>[^\]\n]{1,300})\]\((?:<(?<angled>[^<>\n]+)>|(?<path>[^()\s]+))\)|(?<![\\$\w{])\$(?<name>[\p{L}\p{N}][\p{L}\p{M}\p{N}_.:-]*)|(?<quote>["'`])(?<quoted>[^"'`\n]{0,500}\/[^"'`\n]{0,500})\k<quote>|(?<![\p{L}\p{M}\p{N}_$\\/.:~@+-])(?<bare>(?:~|\.{1,2})?\/?(?:[\p{L}\p{M}\p{N}_.@+-]+\/)+[\p{L}\p{M}\p{N}_.@+-]*|(?:~|\.{1,2})?\/[\p{L}\p{M}\p{N}_.@+-]+)/gu;

/** Most paths looked up per message: each may cost a disk access. */
const MAX_PATHS = 100;

/** The mentions in a text, in order, each skill once. Words that no skill is called, such as `$HOME`, do not count. */
export function findMentions(text: string, options: MentionOptions): Mention[] {
  const mentions: Mention[] = [];
  const seen = new Set<string>();
  const inCode = codeTester(text);
  let paths = 0;
  for (const match of text.matchAll(mentionPattern)) {
    if (inCode(match.index)) continue;
    const { dollar, linked, angled, path, name, quoted, bare } = match.groups!;
    if (name === undefined && dollar === undefined && ++paths > MAX_PATHS) continue;
    const start = match.index;
    const place = quoted ?? bare;
    const mention =
      linked !== undefined
        ? exact(
            match[0],
            { name: linked, path: (angled ?? path)!, start, isNamed: dollar !== undefined },
            options,
          )
        : name !== undefined
          ? named(name, start, options)
          : atPath(place!, start + match[0].indexOf(place!), options);
    const key = mention?.skill?.path ?? `${mention?.name}\0${mention?.problem}`;
    if (mention === undefined || seen.has(key)) continue;
    seen.add(key);
    mentions.push(mention);
  }
  return mentions;
}

/** A path in the text, without the punctuation that ends a sentence. Undefined when it does not lead to a skill. */
function atPath(written: string, start: number, options: MentionOptions): Mention | undefined {
  for (const path of new Set([written, written.replace(/[.@+-]+$/, '')])) {
    const skill = path === '' ? undefined : recordAt(options.catalog, path, options);
    if (skill !== undefined)
      return settleMention(
        { text: path, start, end: start + path.length, name: skill.name },
        [skill],
        options,
      );
  }
  return undefined;
}

function exact(
  text: string,
  link: { name: string; path: string; start: number; isNamed: boolean },
  options: MentionOptions,
): Mention | undefined {
  const skill = recordAt(options.catalog, link.path, options);
  const base = { text, start: link.start, end: link.start + text.length, name: skill?.name ?? link.name };
  if (skill === undefined) {
    // A link without `$` may point anywhere.
    return link.isNamed ? { ...base, skill: null, problem: 'not-in-catalog', candidates: [] } : undefined;
  }
  return settleMention(base, [skill], options);
}

function named(written: string, start: number, options: MentionOptions): Mention | undefined {
  for (const name of spellingsOf(written)) {
    const records = recordsNamed(options.catalog, name);
    const exactly = records.filter((record) => record.name === name);
    // All capitals is an environment variable, unless a skill has exactly that name.
    const candidates = /^[A-Z0-9_]+$/.test(name) ? exactly : records;
    if (candidates.length === 0) continue;
    const text = `$${name}`;
    return settleMention(
      { text, start, end: start + text.length, name: candidates[0]!.name },
      candidates,
      options,
    );
  }
  return undefined;
}

/** Scripts without spaces between words, where a name runs into the text after it. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const hangul = /\p{Script=Hangul}/u;

/** Longest skill name, and longest chain of particles. */
const MAX_NAME = 128;
const MAX_PARTICLES = 12;

/** Particles that Korean attaches to the end of a noun. */
const particles =
  /^(?:을|를|이|가|은|는|의|에|에서|에게|께|한테|로|으로|로서|으로서|로써|으로써|와|과|랑|이랑|하고|도|만|까지|부터|마다|처럼|보다|이나|나|요|이요|입니다|이다)+$/u;

/** Possible names, longest first: as written, without sentence punctuation, and without text that runs into it. */
function* spellingsOf(written: string): Generator<string> {
  yield written;
  const plain = written.replace(/[.:_-]+$/, '');
  if (plain !== written) yield plain;
  const characters = [...plain];
  for (let length = Math.min(characters.length - 1, MAX_NAME); length > 0; length--) {
    if (!unspaced.test(characters[length]!)) continue;
    // Inside a Korean word, only particles may follow the name.
    const isWithin = [characters[length - 1]!, characters[length]!].every((letter) => hangul.test(letter));
    if (isWithin && !particles.test(characters.slice(length, length + MAX_PARTICLES).join(''))) continue;
    yield characters.slice(0, length).join('');
  }
}

/** The skill that may be used. Disabled skills do not exist here, so naming one is not a mention. */
function settleMention(
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

/** Whether an offset is inside a fenced code block. */
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
