// Shows one section of a skill: finds it by its heading and reads it from the source.

import { editDistance, quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { joinInside, splitLines } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { type HeadingFilter, hasSections, type IndexedHeading } from '../index/index.ts';
import { findHeadings, nameSection, type SectionName } from './find-headings.ts';
import { cutLines, fileNotFound, plainPath, sliceLines } from './open-file.ts';
import type { ReadableIndex } from './open-gateway.ts';

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

/** The requested section. */
interface ShowRequest {
  /** A heading, as written or copied from a stub, or `#anchor`. */
  readonly section: string;
  readonly file: string | undefined;
  readonly maxLines: number | undefined;
}

/** One of several sections that match a query. */
interface SectionCandidate {
  file: string;
  section: string;
  anchor: string;
  start_line: number;
  /** Arguments that show exactly this one. */
  name: SectionName;
}

/** A section, and all candidates when the query is ambiguous. */
export interface Shown {
  readonly section: ShownSection;
  /** Empty when there is only one. */
  readonly candidates: readonly SectionCandidate[];
  /** Number of candidates; when there are very many, not all are listed. */
  readonly total: number;
}

const MAX_CANDIDATES = 50;

/**
 * The section a query refers to: of several, that of SKILL.md, then the first by path. E020 with suggestions when none
 * matches, E021 when there is no such file, E062 when a quiz locks it.
 */
export function showSection(opened: ReadableIndex, request: ShowRequest): Shown {
  const { dir, index, files, reach } = opened;
  const names = reach.isWhole ? files : files.filter(({ path }) => reach.allowsName(path));
  const file = request.file === undefined ? undefined : fileIn(dir, request.file);
  if (file !== undefined && !names.some(({ path }) => path === file))
    throw fileNotFound(
      request.file!,
      names.map(({ path }) => path),
    );
  const headings = (filter: HeadingFilter) => {
    const found = index.headings(filter);
    return reach.isWhole ? found : found.filter(reach.allowsSection);
  };
  let known: ReadonlySet<string> | undefined;
  const readable = () => {
    const whole = names.filter(({ path, indexed }) => indexed && hasSections(path) && reach.allowsFile(path));
    known ??= new Set(whole.map(({ path }) => path));
    return known;
  };
  const matches = findHeadings(request.section, { headings, files: readable, file });
  const [heading] = matches;
  // A gate also hides headings.
  if (heading === undefined)
    throw (
      reach.gate?.refusal(opened.skill) ??
      notFound(request.section, opened, headings(file === undefined ? {} : { file }))
    );
  const text = index.readText(heading.file);
  // The text before the first heading of a file, unless a gate hides it.
  const { file: path, start_line, from_line = start_line } = heading;
  const isShown = reach.isWhole || reach.allowsSection({ file: path, start_line: from_line });
  const from = isShown ? from_line : start_line;
  const content = heading.level === 0 ? text : sliceLines(text, from, heading.end_line);
  const cut = cutLines(content, request.maxLines);
  return {
    section: {
      file: heading.file,
      section: heading.text,
      anchor: heading.anchor,
      level: heading.level,
      start_line: from,
      end_line: heading.level === 0 ? Math.max(1, splitLines(text).length) : heading.end_line,
      content: cut.text,
      more_lines: cut.more,
    },
    candidates:
      matches.length === 1
        ? []
        : matches.slice(0, MAX_CANDIDATES).map(({ file, text: section, anchor, start_line }) => {
            const place = { file, section, anchor, start_line };
            return { ...place, name: nameSection(opened, place) };
          }),
    total: matches.length,
  };
}

/** `./references/a.md`, `references//a.md` and `scripts/../references/a.md` name the same file. */
function fileIn(dir: string, file: string): string {
  const joined = joinInside(dir, plainPath(file));
  return joined.slice(dir.length + 1).replaceAll('\\', '/');
}

const MAX_SUGGESTIONS = 5;

function notFound(
  query: string,
  { skill, files, reach }: ReadableIndex,
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
    // Stubs name files without a heading by their path.
    const file = files.find(({ path }) => foldText(path) === wanted && reach.allowsName(path))?.path;
    const help =
      file === undefined
        ? `run 'skc outline ${quoteWord(skill)}' to list the headings`
        : `it is a file: skc open ${quoteWord(skill)} ${quoteWord(file)}`;
    return SkillwrightError.of('E020', { section: query }, { help });
  }
  const lines = suggestions.map(({ section, file }) => `  - ${section} (${file})`);
  const detail = `\nDid you mean one of these?\n${lines.join('\n')}`;
  return SkillwrightError.of('E020', { section: query }, { detail, data: { suggestions } });
}

/** Headings that start with the words, then those that contain them, then similar ones. */
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
