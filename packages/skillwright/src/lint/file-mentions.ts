// Which files of a skill a text speaks of: by path, by file name, as an imported module, or with their whole directory.

import { posix } from 'node:path';

/** Finds mentions of a fixed set of files. */
export interface MentionFinder {
  /**
   * The files that a text speaks of and no earlier text did. In code a bare word may be the name of a module or of a
   * directory; in prose that takes an import before it or the word "directory" behind it.
   */
  find(text: string, form: 'prose' | 'code'): ReadonlySet<string>;
  /** The files at or below a path. */
  below(path: string): readonly string[];
}

/** A file or a directory, as something to be mentioned. */
interface Mentionable {
  readonly path: string;
  /** What a path in a text is compared with: the path in lower case, without extension for a module. */
  readonly spelling: string;
  readonly kind: 'file' | 'module' | 'directory';
}

/** What paths are written with. Names with other characters in them are recognised by their end. */
const TOKEN = /[\w.@+~%\-/\\]+/g;
const PLAIN_NAME = /^[\w.@+~%-]+$/;
const NAME_END = /[\w.@+~%\-/]*$/;
const IMPORT_WORDS: ReadonlySet<string> = new Set(['import', 'from', 'require', 'source', '-m', '.']);
const LEADING: ReadonlySet<string> = new Set('./~');
const DIRECTORY_WORD = /["'`*]*\s+(?:sub-?)?(?:director(?:y|ies)|folders?|dirs?)\b/y;

/** Where so many files share a name, a mention of one counts for all. */
const MAX_NAMESAKES = 1000;

/** Prepares to find mentions of `files`, given by their paths. */
export function createMentionFinder(files: readonly string[]): MentionFinder {
  const sorted = files.toSorted();
  const plain = new Map<string, Mentionable[]>();
  const odd = new Map<string, Mentionable>();
  const oddEnds = new Set<string>();
  const oddLengths = new Set<number>();
  for (const entry of listMentionables(files)) {
    const name = posix.basename(entry.spelling);
    if (PLAIN_NAME.test(name)) {
      const namesakes = plain.get(name);
      if (namesakes === undefined) plain.set(name, [entry]);
      else namesakes.push(entry);
    } else if (entry.kind !== 'module') {
      const written = entry.kind === 'directory' ? `${name}/` : name;
      odd.set(written, entry);
      oddEnds.add(NAME_END.exec(written)![0]);
      oddLengths.add(written.length);
    }
  }

  const below = (path: string): readonly string[] => {
    const prefix = `${path}/`;
    let index = lowerBound(sorted, path);
    const found: string[] = [];
    if (sorted[index] === path) found.push(path);
    index = lowerBound(sorted, prefix);
    for (let file = sorted[index]; file?.startsWith(prefix); file = sorted[++index]) found.push(file);
    return found;
  };

  const seen = new Set<string>();
  const find = (source: string, form: 'prose' | 'code'): ReadonlySet<string> => {
    const found = new Set<string>();
    const add = (entries: readonly Mentionable[]): void => {
      for (const { path, kind } of entries) {
        if (kind !== 'directory') found.add(path);
        else for (const file of below(path)) found.add(file);
      }
    };
    const text = source.toLowerCase();
    let previous = '';
    for (const match of text.matchAll(TOKEN)) {
      const raw = match[0];
      const end = match.index + raw.length;
      const token = cleanToken(raw);
      const isImported = form === 'code' || IMPORT_WORDS.has(previous);
      previous = raw;
      if (oddEnds.has(raw)) add(oddNamesBefore(text, end));
      const isNamed = isImported || isDirectoryNamed(text, end, plain.get(token));
      const key = isNamed ? `${token}?` : token;
      if (token === '' || seen.has(key)) continue;
      seen.add(key);
      add(matching(token, isNamed));
      if (!token.includes('/') && token.includes('.')) add(matching(token.replaceAll('.', '/'), false));
      // An import of './x.js' may mean x.ts.
      if (isImported && /\.[cm]?jsx?$/.test(token)) add(matching(token.replace(/\.\w+$/, ''), true));
    }
    return found;
  };

  const oddNamesBefore = (text: string, end: number): Mentionable[] =>
    [...oddLengths].flatMap((length) => odd.get(text.slice(Math.max(0, end - length), end)) ?? []);

  /** A file is meant by its name; a module or a directory by two parts of its path, or by its name where `isNamed`. */
  const matching = (token: string, isNamed: boolean): readonly Mentionable[] => {
    const isDirectory = token.endsWith('/');
    const path = isDirectory ? token.slice(0, -1) : token;
    const namesakes = plain.get(posix.basename(path)) ?? [];
    if (namesakes.length > MAX_NAMESAKES) return namesakes;
    const aligned = namesakes.filter(({ spelling }) => isAligned(spelling, path));
    if (isDirectory) return aligned.filter(({ kind }) => kind === 'directory');
    const named = namesakes.filter(({ kind }) => kind === 'file');
    const others = path.includes('/') || isNamed ? aligned.filter(({ kind }) => kind !== 'file') : [];
    const exact = aligned.filter(({ kind }) => kind === 'file');
    return [...(exact.length > 0 ? exact : named), ...others];
  };

  return { find, below };
}

function listMentionables(files: readonly string[]): Mentionable[] {
  const directories = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const directory = file.slice(0, at);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return [
    ...files.map((path): Mentionable => ({ path, spelling: path.toLowerCase(), kind: 'file' })),
    ...files.flatMap((path): Mentionable[] => {
      const spelling = path.slice(0, path.length - posix.extname(path).length).toLowerCase();
      return spelling.length === path.length ? [] : [{ path, spelling, kind: 'module' }];
    }),
    ...Array.from(
      directories,
      (path): Mentionable => ({ path, spelling: path.toLowerCase(), kind: 'directory' }),
    ),
  ];
}

/** Slashes one way, without `./`, `../`, `/` and `~/` before it and without the full stop of a sentence behind it. */
function cleanToken(raw: string): string {
  const token = raw.includes('\\') ? raw.replaceAll('\\', '/') : raw;
  let start = 0;
  let end = token.length;
  while (start < end && LEADING.has(token[start]!)) start++;
  while (end > start && token[end - 1] === '.') end--;
  return token.slice(start, end);
}

/** True when one of two paths is the end of the other: texts name files from the skill, from above it, or from within. */
function isAligned(path: string, written: string): boolean {
  return path === written || path.endsWith(`/${written}`) || written.endsWith(`/${path}`);
}

function isDirectoryNamed(text: string, end: number, namesakes: readonly Mentionable[] | undefined): boolean {
  if (namesakes?.some(({ kind }) => kind === 'directory') !== true) return false;
  DIRECTORY_WORD.lastIndex = end;
  return DIRECTORY_WORD.test(text);
}

/** The index of the first path that is not before `wanted`. */
function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
