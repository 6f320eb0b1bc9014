// A query as terms, and as an FTS5 expression. Every term is quoted and holds letters, marks and digits only, so
// nothing a user types is ever syntax.

import type { Word } from './analyze-text.ts';
import type { RunScanner } from './scan-runs.ts';
import { questionWords } from './stop-words.ts';

/** What is looked for. */
export interface Query {
  /** The distinct words to match, in the order they were typed. */
  readonly words: readonly Word[];
  /** True for a question or another long text: no section is expected to hold all of its words. */
  readonly question: boolean;
}

/** Further words of a query add nothing. */
const maxWords = 64;
/** Further text of a query is not read. */
const maxLength = 10_000;
/** A query with more words than this is a description of what is looked for. */
const maxRequired = 7;

/** Reads a query. Stop words are left out unless there is nothing else. */
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

/** The FTS5 expression for sections with all of the words, or with some. */
export function matchExpression(words: readonly Word[], require: 'all' | 'some'): string {
  return words.map(matchWord).join(require === 'all' ? ' AND ' : ' OR ');
}

/** A word of a script without spaces is also found where the text was cut in other places. */
function matchWord(word: Word): string {
  const quoted = `"${word.term}"`;
  if (word.grams.length === 0) return quoted;
  if (word.grams.length === 1) return `(${quoted} OR grams : ${quoted} *)`;
  return `(${quoted} OR grams : "${word.grams.slice(0, -1).join(' ')}")`;
}
