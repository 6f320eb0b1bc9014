// A set of files, looked up by the names a text may use for them.

import { posix } from 'node:path';

/** Lookups in lower case; results are the original paths. */
export interface FileNames {
  /**
   * The files that a path in a text means: those whose path ends with it, otherwise those with that name. `isName`: the text
   * uses a bare word as a name, so it may also be a module or a directory.
   */
  meantBy(written: string, isName: boolean): Iterable<string>;
  /** The files whose name contains white space or other odd characters and ends in `word` at this position of a text. */
  endingIn(word: string, at: { text: string; end: number }): Iterable<string>;
  /** The files whose names start and end with the given parts. */
  between(start: string, end: string): Iterable<string>;
  hasDirectory(name: string): boolean;
  /** The file at a path, or the files below it. */
  below(path: string): readonly string[];
}

/** A file or directory that can be mentioned. */
interface Named {
  readonly path: string;
  /** Key for a path in a text: the path in lower case, without the extension for a module. */
  readonly spelling: string;
  readonly kind: 'file' | 'module' | 'directory';
}

/** Names that `file-mentions.ts` reads as one word. */
const PLAIN = /^[\w.-]+$/;
const PLAIN_END = /[\w.\-/]*$/;

/** If this many files share a name, a mention of one counts for all. */
const MAX_NAMESAKES = 1000;

/** Maximum number of odd name lengths to try at one position. */
const MAX_LENGTHS = 64;

/** Prepares lookups among `files`, given by their paths. */
export function createFileNames(files: readonly string[]): FileNames {
  const sorted = files.toSorted();
  const byName = files
    .map((path) => ({ name: foldedName(path), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const sortedNames = byName.map(({ name }) => name);
  const plain = new Map<string, Named[]>();
  const odd = new Map<string, Named>();
  for (const entry of listNamed(files)) {
    const name = posix.basename(entry.spelling);
    if (!PLAIN.test(name)) {
      if (entry.kind !== 'module') odd.set(entry.kind === 'directory' ? `${name}/` : name, entry);
      continue;
    }
    const namesakes = plain.get(name);
    if (namesakes === undefined) plain.set(name, [entry]);
    else namesakes.push(entry);
  }
  const oddEnds = new Set(Array.from(odd.keys(), (name) => PLAIN_END.exec(name)![0]));
  const oddLengths = [...new Set(Array.from(odd.keys(), (name) => name.length))].slice(0, MAX_LENGTHS);

  const below = (path: string): readonly string[] => {
    if (sorted[lowerBound(sorted, path)] === path) return [path];
    return sorted.slice(lowerBound(sorted, `${path}/`), lowerBound(sorted, `${path}0`));
  };
  const filesOf = ({ path, kind }: Named): readonly string[] => (kind === 'directory' ? below(path) : [path]);

  return {
    below,
    hasDirectory(name) {
      return plain.get(name)?.some(({ kind }) => kind === 'directory') ?? false;
    },
    meantBy(written, isName) {
      const path = written.endsWith('/') ? written.slice(0, -1) : written;
      const namesakes = plain.get(posix.basename(path));
      if (namesakes === undefined) return [];
      if (namesakes.length > MAX_NAMESAKES) return namesakes.flatMap(filesOf);
      const aligned = namesakes.filter(({ spelling }) => isAligned(spelling, path));
      if (path !== written) return aligned.filter(({ kind }) => kind === 'directory').flatMap(filesOf);
      const exact = aligned.filter(({ kind }) => kind === 'file');
      const meant = exact.length > 0 ? exact : namesakes.filter(({ kind }) => kind === 'file');
      const others = isName || path.includes('/') ? aligned.filter(({ kind }) => kind !== 'file') : [];
      return [...meant, ...others].flatMap(filesOf);
    },
    endingIn(word, { text, end }) {
      if (!oddEnds.has(word)) return [];
      return oddLengths.flatMap((length) => {
        const entry = length > end ? undefined : odd.get(text.slice(end - length, end));
        return entry === undefined ? [] : filesOf(entry);
      });
    },
    between(start, end) {
      const found: string[] = [];
      for (let at = lowerBound(sortedNames, start); sortedNames[at]?.startsWith(start); at++) {
        if (sortedNames[at]!.endsWith(end)) found.push(byName[at]!.path);
      }
      return found;
    },
  };
}

function listNamed(files: readonly string[]): Named[] {
  const directories = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const directory = file.slice(0, at);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  const named: Named[] = [];
  for (const path of files) {
    const spelling = path.toLowerCase();
    named.push({ path, spelling, kind: 'file' });
    const extension = posix.extname(spelling);
    if (extension !== '')
      named.push({ path, spelling: spelling.slice(0, -extension.length), kind: 'module' });
  }
  for (const path of directories) named.push({ path, spelling: path.toLowerCase(), kind: 'directory' });
  return named;
}

function foldedName(path: string): string {
  return posix.basename(path).toLowerCase();
}

/** True if one of two paths is the end of the other: texts name files relative to the skill, to its parent, or to a subdirectory. */
function isAligned(path: string, written: string): boolean {
  return path === written || path.endsWith(`/${written}`) || written.endsWith(`/${path}`);
}

/** The index of the first entry that is not before `wanted`. */
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
