// Finds the files of a skill that a text mentions: by path, by file name, as an imported module, or by directory.

import { posix } from 'node:path';
import type { FileNames } from './file-names.ts';

/** Reads texts one after another. */
interface MentionReader {
  /**
   * The files that a text mentions; may leave out those an earlier text mentioned in the same words. In code, any word may
   * be the name of a module or directory; in prose it needs an import before it, the word "directory" after it,
   * or backticks around a compound.
   */
  read(text: string, form: 'prose' | 'code'): ReadonlySet<string>;
}

/** Characters of paths. */
const WORD = /[\w.\-/\\]+/g;
const LEADING: ReadonlySet<string> = new Set('./');
const IMPORT_WORDS: ReadonlySet<string> = new Set(['import', 'from', 'require', 'source', '-m', '.']);
const DIRECTORY_WORD = /["'`*]*\s+(?:sub-?)?(?:director(?:y|ies)|folders?|dirs?)\b/y;
/** In backticks, `early-exit` is a name, not an ordinary word. */
const COMPOUND = /[a-z\d][-_][a-z\d]/;
/** `query-` in backticks names the files that start with it. */
const PREFIX = /^[a-z\d]{2,}[-_]$/;
const MODULE = /\.[cm]?jsx?$/;
/** A placeholder, and the end of the file name after it: `step-<n>.md`. */
const GAP = /(?:\*|<[^<>\s]{1,40}>|\{[^{}\s]{1,40}\}|\[[^\][\s]{1,40}\])([\w-]*\.\w{1,8})\b/y;

/** Prepares to find mentions of `names`. */
export function createMentionReader(names: FileNames): MentionReader {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => {
    const size = seen.size;
    return seen.add(key).size > size;
  };
  return {
    read(source, form) {
      const found = new Set<string>();
      const add = (paths: Iterable<string>): void => {
        for (const path of paths) found.add(path);
      };
      const text = source.toLowerCase();
      let previous = '';
      for (const { 0: raw, index } of text.matchAll(WORD)) {
        const isImported = form === 'code' || IMPORT_WORDS.has(previous);
        previous = raw;
        const written = withoutStops(raw);
        const word = withoutStart(written);
        const end = index + written.length;
        add(names.endingIn(written, { text, end }));
        const gap = raw.endsWith('/') ? null : matchAt(GAP, text, end);
        if (gap !== null && isNew(raw + gap[0])) add(names.between(posix.basename(raw), gap[1]!));
        const isQuoted = text[index - 1] === '`' && text[end] === '`';
        if (isQuoted && PREFIX.test(word) && isNew(raw)) add(names.between(word, ''));
        const isName =
          isImported ||
          (isQuoted && COMPOUND.test(word)) ||
          (names.hasDirectory(word) && matchAt(DIRECTORY_WORD, text, end) !== null);
        if (word === '' || !isNew(isName ? `${word} ` : word)) continue;
        add(names.meantBy(word, isName));
        // A module by its dotted name, or a script imported under the name of its compiled file.
        if (word.includes('.') && !word.includes('/')) add(names.meantBy(word.replaceAll('.', '/'), false));
        if (isImported && MODULE.test(word)) add(names.meantBy(word.replace(MODULE, ''), true));
      }
      return found;
    },
  };
}

/** Without a trailing full stop. */
function withoutStops(raw: string): string {
  let end = raw.length;
  while (end > 0 && raw[end - 1] === '.') end--;
  return raw.slice(0, end);
}

/** Forward slashes, without leading `./`, `../` and `/`. */
function withoutStart(written: string): string {
  const word = written.includes('\\') ? written.replaceAll('\\', '/') : written;
  let start = 0;
  while (start < word.length && LEADING.has(word[start]!)) start++;
  return word.slice(start);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
