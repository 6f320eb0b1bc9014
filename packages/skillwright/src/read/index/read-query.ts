// Parses a query into terms and an FTS5 expression. Every term is quoted and holds only letters, marks and digits, so
// user input is never syntax.

import type { Word } from './analyze-text.ts';
import type { RunScanner } from './scan-runs.ts';
import { questionWords } from './stop-words.ts';

/** A parsed query. */
export interface Query {
  /** The distinct words to match, in query order. */
  readonly words: readonly Word[];
  /** True for a question or another long text: sections need not contain all of its words. */
  readonly question: boolean;
}

/** Further words of a query are ignored. */
const maxWords = 64;
/** Further text of a query is not read. */
const maxLength = 10_000;
/** A query with more words than this counts as a description. */
const maxRequired = 7;

/** Parses a query. Drops stop words unless there are no others. */
export function readQuery(text: string, scan: RunScanner): Query {
  const typed: Word[] = [];
  scan(text.slice(0, maxLength), ({ words }) => typed.push(...words));
  const telling = typed.filter((word) => !word.stop);
  const distinct = new Map<string, Word>();
  for (const word of telling.length > 0 ? telling : typed) {
    if (distinct.size >= maxWords) break;
    distinct.set(word.term, word);
  }
  const asked =
    (typed.length > 2 && /[?？]\s*$/.test(text)) ||
    (typed.length > 3 && questionWords.has(typed[0]?.term ?? ''));
  return { words: [...distinct.values()], question: asked || distinct.size > maxRequired };
}

/** FTS5 expression for sections with all of the words, or with some. */
export function matchExpression(words: readonly Word[], require: 'all' | 'some'): string {
  return words.map(matchWord).join(require === 'all' ? ' AND ' : ' OR ');
}

/** A word of a script without spaces also matches where the text was split differently. */
function matchWord(word: Word): string {
  const quoted = `"${word.term}"`;
  if (word.grams.length === 0) return quoted;
  if (word.grams.length === 1) return `(${quoted} OR grams : ${quoted} *)`;
  return `(${quoted} OR grams : "${word.grams.slice(0, -1).join(' ')}")`;
}
