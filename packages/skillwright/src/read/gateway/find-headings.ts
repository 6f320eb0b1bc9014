// Finds the headings a query refers to: typed by hand, or copied from a stub, an outline, a search or the source. Names a
// section unambiguously.

import { makeVisible } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { HeadingFilter, IndexedHeading } from '../index/index.ts';
import type { ReadableIndex } from './open-gateway.ts';

/** Label of a heading without text. */
export const UNTITLED = '(untitled)';

/** Where to look. */
interface HeadingSource {
  /** Headings the caller may see, in order. */
  headings(filter: HeadingFilter): IndexedHeading[];
  /** Markdown files the caller may read whole; only called when no heading matches. */
  files(): ReadonlySet<string>;
  /** Look in this file only. */
  readonly file?: string | undefined;
}

/** One interpretation of a query. */
interface Reading {
  readonly where?: HeadingFilter;
  /** A stub cut the query, so only its beginning is known. */
  readonly prefix?: string;
  /** Level given by the marks before it. */
  readonly level?: number | undefined;
  /** A whole file. */
  readonly path?: string;
}

/** Text after a heading that selects one of several. */
interface Hint {
  readonly file?: string | undefined;
  readonly anchor?: string | undefined;
}

const SEPARATOR = ' — ';
/** How many of the prefixes before ` — ` to try, the longest ones first, and the shortest. */
const MAX_PREFIXES = 100;

/**
 * The headings a query refers to, the one to show first: those of SKILL.md, then by path. The most literal match wins.
 * Text after ` — ` is not part of the heading, but a file or `#anchor` there selects one of several. A file named
 * instead of a heading counts as a heading of level 0.
 */
export function findHeadings(query: string, source: HeadingSource): IndexedHeading[] {
  const splits = [...splitQuery(query.trim())];
  for (const [head, tail] of splits) {
    const hint = tail === '' ? {} : readHint(tail, source.files());
    const found = findWith(head, hint, source);
    if (found.length > 0) return found;
  }
  for (const [head, tail] of splits) {
    const found = tail === '' ? [] : findWith(head, {}, source);
    if (found.length > 0) return found;
  }
  return [];
}

/** The query split at each ` — `, the longest first part first. */
function* splitQuery(query: string): Generator<[head: string, tail: string]> {
  yield [query, ''];
  const places: number[] = [];
  for (let at = query.indexOf(SEPARATOR); at !== -1; at = query.indexOf(SEPARATOR, at + 1)) places.push(at);
  const tried = places.length > MAX_PREFIXES ? [places[0]!, ...places.slice(1 - MAX_PREFIXES)] : places;
  for (const at of tried.reverse()) yield [query.slice(0, at).trim(), query.slice(at + SEPARATOR.length)];
}

function readHint(tail: string, files: ReadonlySet<string>): Hint {
  let hint: Hint = {};
  for (const piece of tail.split(SEPARATOR).map((text) => text.trim())) {
    const word = /^`?([^\s`]+?)`?[:,;]?(?:\s|$)/.exec(piece)?.[1] ?? '';
    const [path, anchor] = splitAnchor(files.has(piece) ? piece : word);
    if (files.has(path)) hint = { ...hint, file: path, anchor: anchor ?? hint.anchor };
    else if (path === '' && anchor !== undefined) hint = { ...hint, anchor };
  }
  return hint;
}

function splitAnchor(word: string): [path: string, anchor: string | undefined] {
  const at = word.indexOf('#');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1).toLowerCase() || undefined];
}

function findWith(head: string, hint: Hint, source: HeadingSource): IndexedHeading[] {
  const { file } = source;
  for (const reading of readingsOf(head, source)) {
    const isMeant = (heading: IndexedHeading) =>
      (hint.file === undefined || heading.file === hint.file) &&
      (hint.anchor === undefined || heading.anchor === hint.anchor);
    const found = listOf(reading, hint, source).filter(
      (heading) => (file === undefined || heading.file === file) && isMeant(heading),
    );
    const level = found.filter((heading) => heading.level === reading.level);
    if (found.length > 0) return skillFileFirst(level.length > 0 ? level : found);
  }
  return [];
}

/** All candidates: when the file is known, only its headings. */
function listOf({ where, prefix, path }: Reading, hint: Hint, source: HeadingSource): IndexedHeading[] {
  if (path !== undefined) return [wholeFile(path)];
  const file = source.file ?? hint.file;
  const found = source.headings({ ...(file === undefined ? {} : { file }), ...where });
  return prefix === undefined ? found : found.filter(({ folded }) => folded.startsWith(prefix));
}

/** A whole file as a section. */
function wholeFile(file: string): IndexedHeading {
  const place = { start_line: 1, end_line: Number.MAX_SAFE_INTEGER };
  return { file, text: '', folded: '', level: 0, anchor: '', ...place };
}

function skillFileFirst(found: IndexedHeading[]): IndexedHeading[] {
  const isSkillFile = ({ file }: IndexedHeading) => file === SKILL_FILE;
  return [...found.filter(isSkillFile), ...found.filter((heading) => !isSkillFile(heading))];
}

/** Interpretations of the text before ` — `, the most literal first. */
function* readingsOf(head: string, source: Pick<HeadingSource, 'files'>): Generator<Reading> {
  yield* readText(head);
  // `## Heading`, as written in the file.
  const marked = /^(#{1,6})(?:[ \t]+(.*))?$/s.exec(head);
  if (marked !== null) {
    const level = marked[1]!.length;
    const text = (marked[2] ?? '').replace(/(?:^|[ \t])#+[ \t]*$/, '').trim();
    const isUntitled = text === '' || text === UNTITLED;
    for (const reading of isUntitled ? [...readText(text), untitled] : readText(text))
      yield { ...reading, level };
  }
  // A stub escapes headings that look like marks.
  if (head.startsWith('\\')) yield* readText(head.slice(1));
  if (head === UNTITLED || head === '') yield untitled;
  const files = source.files();
  const [path, anchor] = splitAnchor(head);
  if (anchor !== undefined && !/\s/.test(anchor)) {
    if (path === '') yield { where: { anchor } };
    else if (files.has(path)) yield { where: { anchor, file: path } };
  }
  // In the form of a printed suggestion.
  const [, text, file] = /^(.*) \(([^()]+)\)$/s.exec(head) ?? [];
  if (text !== undefined && files.has(file!)) yield { where: { text, file: file! } };
  const named = findFile(head, files);
  if (named !== undefined) yield { path: named };
}

const untitled: Reading = { where: { text: '' } };

function* readText(text: string): Generator<Reading> {
  if (text !== '') yield { where: { text } };
  const prefix = text.endsWith('…') ? foldText(text.slice(0, -1)) : '';
  if (prefix !== '') yield { prefix };
}

/** A file by its path, as stubs name a file without a title. */
function findFile(path: string, files: ReadonlySet<string>): string | undefined {
  if (path === '') return undefined;
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/^\\/, '');
  if (files.has(plain)) return plain;
  const [wanted, isCut] = [foldText(plain.replace(/…$/, '')), plain.endsWith('…')];
  // Folded all at once, because most queries name no file, and one by one takes longer than finding the heading.
  if (!foldText([...files].join('/')).includes(wanted)) return undefined;
  for (const file of files) {
    const folded = foldText(file);
    if (folded === wanted || (isCut && wanted !== '' && folded.startsWith(wanted))) return file;
  }
  return undefined;
}

/** Arguments of `show`: a heading or `#anchor`, and the file when the heading alone is ambiguous. */
export interface SectionName {
  readonly section: string;
  readonly file?: string;
}

/** The shortest unambiguous name of a section. */
export function nameSection(
  { index, reach }: Pick<ReadableIndex, 'index' | 'reach'>,
  { file, section, anchor }: { readonly file: string; readonly section: string; readonly anchor: string },
): SectionName {
  const isAlone = (filter: HeadingFilter) =>
    // Hidden sections do not count, so they must not use up the limit.
    index.headings({ ...filter, ...(reach.isWhole ? { limit: 2 } : {}) }).filter(reach.allowsSection)
      .length === 1;
  // Text with hidden characters cannot be copied.
  if (section !== '' && makeVisible(section) === section) {
    if (isAlone({ text: section })) return { section };
    if (isAlone({ text: section, file })) return { section, file };
  }
  return { section: anchor === '' ? section || UNTITLED : `#${anchor}`, file };
}
