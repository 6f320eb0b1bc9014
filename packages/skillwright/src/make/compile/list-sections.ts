// The section listing of a stub: the titles to ask for, never their text.

import { dirname, posix } from 'node:path';
import { quoteWord } from '../../base/diagnostics/index.ts';
import { collapseSpace, foldText, type Heading, readMarkdown } from '../../base/markdown/index.ts';
import { readFrontmatter, shorten } from '../../skill/format/index.ts';
import type { Skill } from '../../skill/skill/index.ts';

/** Maximum entries from SKILL.md, H1 entries among them, and entries from other files. */
const MAX_SECTIONS = 15;
const MAX_TOP_LEVEL = 12;
const MAX_REFERENCES = 15;
const MAX_DESCRIPTION = 120;
/** A longer heading is cut with `…`, which `show` understands. */
const MAX_HEADING = 160;

/** The text of a file of the skill; undefined if it is not readable text. */
export type ReadReference = (path: string) => string | undefined;

/** Number of headings of the skill that a text can mean. */
export type CountHeadings = (text: string) => number;

/** The lines under "Top Sections"; empty for a skill without headings and references. */
export function listSections(
  source: Skill,
  paths: readonly string[],
  { read, count }: { readonly read: ReadReference; readonly count: CountHeadings },
): string[] {
  const { body, bodyLine } = source.parts;
  const { headings } = readMarkdown(body, { firstLine: bodyLine });
  const references = paths.filter((path) => path !== 'SKILL.md' && path.toLowerCase().endsWith('.md'));
  const rest = `skc outline ${quoteWord(source.name)}`;
  return [...sectionLines(headings, rest), ...referenceLines(references, { source, read, count, rest })];
}

function sectionLines(headings: readonly Heading[], rest: string): string[] {
  const all = headings.filter(({ level }) => level <= 2);
  const wanted = withinTopLevel(all);
  const chosen = chooseHeadings(wanted);
  const times = countFolded(headings.map(({ text }) => text));
  const lines = wanted
    .filter((heading) => chosen.has(heading))
    .map((heading) => {
      const { level, text, anchor } = heading;
      const first = headings.find((other) => foldText(other.text) === foldText(text));
      const isRepeated = (times.get(foldText(text)) ?? 0) > 1 && first !== heading;
      return `${level === 1 ? '' : '  '}- ${label(text)}${isRepeated && anchor !== '' ? ` — #${anchor}` : ''}`;
    });
  return withRest(lines, { more: all.length - lines.length, indent: '', rest });
}

/** Drops H1 headings beyond the limit, together with their children. */
function withinTopLevel(headings: readonly Heading[]): readonly Heading[] {
  let topLevel = 0;
  const end = headings.findIndex(({ level }) => level === 1 && ++topLevel > MAX_TOP_LEVEL);
  return end === -1 ? headings : headings.slice(0, end);
}

/** The first entries; if there are too many, specific titles take precedence over generic ones. */
function chooseHeadings(headings: readonly Heading[]): ReadonlySet<Heading> {
  const isFirstRank = ({ level, text }: Heading) => level === 1 || !isGenericTitle(text);
  const ranked = [...headings.filter(isFirstRank), ...headings.filter((heading) => !isFirstRank(heading))];
  return new Set(headings.length <= MAX_SECTIONS ? headings : ranked.slice(0, MAX_SECTIONS));
}

interface ReferenceOptions {
  readonly source: Skill;
  readonly read: ReadReference;
  readonly count: CountHeadings;
  readonly rest: string;
}

function referenceLines(references: readonly string[], options: ReferenceOptions): string[] {
  if (references.length === 0) return [];
  const { source, read, count, rest } = options;
  const chosen = chooseReferences(references, MAX_REFERENCES, source.text).map((path) =>
    readReference(path, read),
  );
  const lines = chosen.map(({ path, title = path, isTitled, hasLead, description }) => {
    // A similar heading elsewhere would be shown instead.
    const isTaken = count(title) > (isTitled ? 1 : 0);
    const parts = [
      label(title),
      ...(isTaken || (isTitled && (hasLead || isGenericTitle(title))) ? [path] : []),
      ...(description === '' ? [] : [shorten(description, MAX_DESCRIPTION)]),
    ];
    return `  - ${parts.join(' — ')}`;
  });
  return [
    '- References (query by title only)',
    ...withRest(lines, { more: references.length - lines.length, indent: '  ', rest }),
  ];
}

interface Reference {
  readonly path: string;
  readonly title: string | undefined;
  readonly isTitled: boolean;
  /** Whether there is text before the title. */
  readonly hasLead: boolean;
  readonly description: string;
}

function readReference(path: string, read: ReadReference): Reference {
  const { data, body } = readFrontmatter(read(path) ?? '');
  const { headings } = readMarkdown(body);
  const heading = headings.find(({ level, text }) => level === 1 && text !== '');
  const title = heading?.text;
  const description = typeof data?.description === 'string' ? collapseSpace(data.description) : '';
  const before = body.split('\n', (heading?.line ?? 1) - 1).join('\n');
  const hasLead = before.trim() !== '';
  return { path, title, isTitled: title !== undefined, hasLead, description };
}

function countFolded(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts.map(foldText)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function withRest(
  lines: string[],
  { more, indent, rest }: { more: number; indent: string; rest: string },
): string[] {
  return more > 0 ? [...lines, `${indent}- ... (${more} more) — \`${rest}\``] : lines;
}

const label = (text: string) => escapeMark(shorten(collapseSpace(text), MAX_HEADING)) || '(untitled)';

/** Escapes text that would start a heading, list, quotation, rule or code block. */
function escapeMark(text: string): string {
  const begins = /^(?:#{1,6}(?: |$)|[-+*](?: |$)|>|```|~~~|\[[^\]]*\]:|[-_*](?: ?[-_*])*$)/;
  return begins.test(text) ? `\\${text}` : text;
}

// Chooses the references that a stub lists, if there are too many.

/** At most `limit` of the paths, in the given order: those SKILL.md mentions first, generic ones last, spread over directories. */
function chooseReferences(paths: readonly string[], limit: number, skillText: string): string[] {
  if (paths.length <= limit) return [...paths];
  const ranks = [
    (path: string) => !isGenericFile(path) && isNamedIn(skillText, path),
    (path: string) => !isGenericFile(path),
    () => true,
  ];
  const chosen = new Set<string>();
  for (const isOfRank of ranks) {
    const rest = paths.filter((path) => !chosen.has(path) && isOfRank(path));
    for (const path of inTurns(Map.groupBy(rest, dirname).values())) {
      if (chosen.size === limit) break;
      chosen.add(path);
    }
  }
  return paths.filter((path) => chosen.has(path));
}

function isNamedIn(text: string, path: string): boolean {
  return text.includes(path) || text.includes(posix.basename(path));
}

/** The first of each group, then the second of each, and so on. */
function* inTurns(groups: Iterable<readonly string[]>): Generator<string> {
  const all = [...groups];
  for (let turn = 0; all.some((group) => turn < group.length); turn++)
    for (const group of all) if (turn < group.length) yield group[turn]!;
}

// Titles and file names that say nothing about the subject.

const TITLES: ReadonlySet<string> = new Set(
  (
    'overview|introduction|intro|about|background|purpose|summary|conclusion|notes|note|contents|table of contents|toc|' +
    'index|readme|changelog|change log|history|license|licence|credits|contributing|acknowledgements|see also|links|' +
    'references|reference|resources|further reading|related|related skills|related resources|getting started|' +
    'quick start|quickstart|guide|documentation|docs|examples|example|usage|faq|' +
    'when to use|when to use this skill|when not to use'
  ).split('|'),
);

const FILES =
  /(?:^|\/)(?:readme|changelog|license|licence|contributing|index|overview|introduction|toc|credits|history)(?:[._-][^/]*)?\.md$/i;

/** True for a title that many texts have. */
function isGenericTitle(title: string): boolean {
  return TITLES.has(title.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
}

/** Also for the path of a file. */
function isGenericFile(path: string): boolean {
  return FILES.test(path);
}
