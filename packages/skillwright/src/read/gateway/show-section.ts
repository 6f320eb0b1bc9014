// One section of a skill, found by its heading and read from the source.

import { type Diagnostic, diagnose, editDistance, SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, joinInside, MAX_TEXT_BYTES, readInside, sha256 } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { HeadingFilter, IndexedHeading } from '../index/index.ts';
import { cutLines, sliceLines } from './cut-lines.ts';
import type { IndexedSkill } from './open-gateway.ts';

/** A section with its text. */
export interface ShownSection {
  file: string;
  section: string;
  anchor: string;
  level: number;
  start_line: number;
  end_line: number;
  content: string;
  /** Lines left out at the end. */
  more_lines: number;
}

/** What to show. */
export interface ShowRequest {
  /** A heading, as written or copied from a stub, or `#anchor`. */
  readonly section: string;
  readonly file: string | undefined;
  readonly maxLines: number | undefined;
}

/** The first section that matches, and a W001 when there are several. E020 with suggestions when there is none, E062 when a quiz keeps it closed. */
export function showSection(
  opened: IndexedSkill,
  request: ShowRequest,
): { section: ShownSection; diagnostics: Diagnostic[] } {
  const { dir, index } = opened;
  const file = request.file === undefined ? undefined : fileIn(dir, request.file);
  const { reach } = opened;
  if (file !== undefined && !index.files().some(({ path }) => path === file && reach.allowsName(path))) {
    throw SkillwrightError.of('E021', { file: request.file! });
  }
  const inFile = file === undefined ? {} : { file };
  const listed = (filter: HeadingFilter) =>
    index.headings({ ...inFile, ...filter }).filter(reach.allowsSection);
  const matches = candidates(request.section).reduce<IndexedHeading[]>(
    (found, filter) => (found.length > 0 ? found : matching(listed(filter.where), filter)),
    [],
  );
  const [heading] = matches;
  // Behind a gate nobody learns which headings there are.
  if (heading === undefined)
    throw reach.gate?.refusal(opened.skill) ?? notFound(request.section, opened, listed({}));
  const text = readUnchanged(opened, heading.file);
  const cut = cutLines(sliceLines(text, heading.start_line, heading.end_line), request.maxLines);
  return {
    section: {
      file: heading.file,
      section: heading.text,
      anchor: heading.anchor,
      level: heading.level,
      start_line: heading.start_line,
      end_line: heading.end_line,
      content: cut.text,
      more_lines: cut.more,
    },
    diagnostics: matches.length > 1 ? [diagnose('W001', { heading: request.section.trim() })] : [],
  };
}

/** `./references/a.md` and `references//a.md` name the same file. */
function fileIn(dir: string, file: string): string {
  const joined = joinInside(dir, file);
  return joined.slice(dir.length + 1).replaceAll('\\', '/');
}

interface Candidate {
  readonly where: { text?: string; anchor?: string };
  /** The query was cut by a stub and only its beginning is known. */
  readonly prefix?: string;
}

/** Ways to read a query, the most literal first: the heading itself, what stands before ` — `, a cut one, an anchor. */
function candidates(query: string): Candidate[] {
  const trimmed = query.trim();
  const found: Candidate[] = [];
  const addText = (text: string): void => {
    if (text.endsWith('…')) found.push({ where: {}, prefix: foldText(text.slice(0, -1)) });
    else if (text !== '') found.push({ where: { text } });
  };
  if (trimmed !== '') found.push({ where: { text: trimmed } });
  const dash = trimmed.indexOf(' — ');
  if (dash !== -1) addText(trimmed.slice(0, dash).trim());
  addText(trimmed);
  // `## Heading`, as it stands in the file.
  const marked = /^#{1,6}\s+(.*?)(?:\s+#+)?$/.exec(trimmed);
  if (marked !== null) addText(marked[1]!);
  // A stub escapes headings that look like marks.
  if (trimmed.startsWith('\\')) addText(trimmed.slice(1));
  const anchor = /^#([^\s#]\S*)$/.exec(trimmed);
  if (anchor !== null) found.push({ where: { anchor: anchor[1]!.toLowerCase() } });
  return found;
}

function matching(headings: IndexedHeading[], { prefix }: Candidate): IndexedHeading[] {
  return prefix === undefined
    ? headings
    : headings.filter(({ folded }) => prefix !== '' && folded.startsWith(prefix));
}

/** The text the index speaks of; E002 when the file is another by now. */
function readUnchanged({ skill, dir, index }: IndexedSkill, file: string): string {
  const bytes = readInside(dir, file, { maxBytes: MAX_TEXT_BYTES });
  const known = index.files().find(({ path }) => path === file);
  if (bytes === undefined || known === undefined || sha256(bytes) !== known.sha256) {
    throw SkillwrightError.of('E002', { skill });
  }
  return decodeText(bytes).text;
}

const MAX_SUGGESTIONS = 5;

function notFound(
  query: string,
  { skill, index, reach }: IndexedSkill,
  headings: readonly IndexedHeading[],
): SkillwrightError {
  const wanted = foldText(
    query
      .trim()
      .replace(/^#+\s*/, '')
      .split(' — ')[0]!,
  );
  const suggestions = similar(wanted, headings).map(({ text, file }) => ({ section: text, file }));
  if (suggestions.length === 0) {
    // A stub names files without a heading by their path.
    const file = index.files().find(({ path }) => foldText(path) === wanted && reach.allowsName(path))?.path;
    const help =
      file === undefined
        ? `run 'skc outline ${skill}' for the headings`
        : `it is a file: skc open ${skill} ${file}`;
    return SkillwrightError.of('E020', { section: query }, { help });
  }
  const lines = suggestions.map(({ section, file }) => `  - ${section} (${file})`);
  const detail = `\nDid you mean one of these?\n${lines.join('\n')}`;
  return SkillwrightError.of('E020', { section: query }, { detail, data: { suggestions } });
}

/** Headings that begin with the words, then those that contain them, then those a few letters away. */
function similar(wanted: string, headings: readonly IndexedHeading[]): IndexedHeading[] {
  if (wanted === '') return [];
  const tolerance = Math.min(4, Math.max(1, Math.floor(wanted.length / 4)));
  const ranked = headings.flatMap((heading) => {
    const { folded } = heading;
    if (folded.startsWith(wanted)) return [{ heading, rank: 0 }];
    if (folded.includes(wanted) || (folded.length > 2 && wanted.includes(folded)))
      return [{ heading, rank: 1 }];
    const distance = editDistance(wanted, folded, tolerance);
    return distance <= tolerance ? [{ heading, rank: 1 + distance }] : [];
  });
  const seen = new Set<string>();
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ heading }) => heading)
    .filter(({ folded, file }) => {
      const key = `${file}\0${folded}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, MAX_SUGGESTIONS);
}
