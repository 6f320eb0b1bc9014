// The section listing of a stub: what there is to ask for, never what it says.

import { collapseSpace, foldText, type Heading, readMarkdown } from '../../base/markdown/index.ts';
import { readFrontmatter, shorten } from '../../skill/format/index.ts';
import type { Skill } from '../../skill/skill/index.ts';

/** Entries from SKILL.md, how many of them may be H1, and entries from other files. */
const MAX_SECTIONS = 15;
const MAX_TOP_LEVEL = 12;
const MAX_REFERENCES = 15;
const MAX_DESCRIPTION = 120;
/** A heading longer than this is cut with `…`, which `show` understands. */
const MAX_HEADING = 160;

/** The text of a file of the skill; undefined when it has none that can be read. */
export type ReadReference = (path: string) => string | undefined;

/** How many headings of the skill `show` would take for this text. */
export type CountHeadings = (text: string) => number;

/** The lines under "Top Sections"; empty for a skill without headings and without references. */
export function listSections(
  source: Skill,
  paths: readonly string[],
  { read, count }: { readonly read: ReadReference; readonly count: CountHeadings },
): string[] {
  const { body, bodyLine } = source.parts;
  const { headings } = readMarkdown(body, { firstLine: bodyLine });
  const references = paths.filter((path) => path !== 'SKILL.md' && path.toLowerCase().endsWith('.md'));
  return [...sectionLines(headings), ...referenceLines(references, read, count)];
}

function sectionLines(headings: readonly Heading[]): string[] {
  const wanted = headings.filter(({ level }) => level <= 2);
  const lines: string[] = [];
  let topLevel = 0;
  // Of several that read alike, `show` takes the first; the others say which they are.
  const first = new Map(headings.toReversed().map((heading) => [foldText(heading.text), heading]));
  for (const heading of wanted) {
    const { level, text, anchor } = heading;
    if (level === 1) topLevel += 1;
    // Beyond the limit an H1 goes together with its children.
    if (lines.length === MAX_SECTIONS || topLevel > MAX_TOP_LEVEL) break;
    const isFirst = first.get(foldText(text)) === heading;
    lines.push(`${level === 1 ? '' : '  '}- ${label(text)}${isFirst ? '' : ` — #${anchor}`}`);
  }
  return withRest(lines, wanted.length - lines.length, '');
}

function referenceLines(references: readonly string[], read: ReadReference, count: CountHeadings): string[] {
  if (references.length === 0) return [];
  const shown = references.slice(0, MAX_REFERENCES).map((path) => describeReference(path, read));
  const lines = shown.map(({ path, title, isTitled, description }) => {
    // A title is one heading of the skill, a path is none; where there are more, the file says which is meant.
    const isShared = count(title) > (isTitled ? 1 : 0);
    const parts = [label(title), ...(isShared ? [path] : []), ...(description === '' ? [] : [description])];
    return `  - ${parts.join(' — ')}`;
  });
  return ['- References (query by title only)', ...withRest(lines, references.length - lines.length, '  ')];
}

function describeReference(
  path: string,
  read: ReadReference,
): { path: string; title: string; isTitled: boolean; description: string } {
  const { data, body } = readFrontmatter(read(path) ?? '');
  const title = readMarkdown(body).headings.find(({ level, text }) => level === 1 && text !== '')?.text;
  const description = typeof data?.description === 'string' ? collapseSpace(data.description) : '';
  return {
    path,
    title: title ?? path,
    isTitled: title !== undefined,
    description: shorten(description, MAX_DESCRIPTION),
  };
}

const withRest = (lines: string[], rest: number, indent: string) =>
  rest > 0 ? [...lines, `${indent}- ... (${rest} more)`] : lines;

const label = (text: string) => escapeMark(shorten(collapseSpace(text), MAX_HEADING)) || '(untitled)';

/** Text that would begin a heading, a list, a quotation, a rule or a block of code of its own is escaped. */
function escapeMark(text: string): string {
  const begins = /^(?:#{1,6}(?: |$)|[-+*](?: |$)|>|```|~~~|\[[^\]]*\]:|[-_*](?: ?[-_*])*$)/;
  return begins.test(text) ? `\\${text}` : text;
}
