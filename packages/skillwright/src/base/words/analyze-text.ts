// Turns text into search terms. The index, the queries and the snippets share this analysis, so they always agree.
//
// A word is a run of letters, marks and digits: `snake_case`, `foo.bar` and `--flag` are split into their words.
// `camelCase` is one word that can also be found by its parts. Intl.Segmenter splits scripts written without spaces;
// because that depends on a dictionary, their pairs of characters are kept as well ("grams").

import { foldText } from '../markdown/index.ts';
import { stemWord } from './stem-word.ts';

/** How words are normalised: `porter` strips English endings, `unicode` only folds case and accents. */
export type Tokenizer = 'unicode' | 'porter';

/** One word of a text. */
export interface Word {
  readonly term: string;
  /** The term as a number, for fast comparison. */
  readonly hash: number;
  readonly stop: boolean;
  /** The terms of the parts of a `camelCase` word. */
  readonly parts: readonly Word[];
  /** For a script without spaces: the character pairs of this word, with the last character alone. */
  readonly grams: readonly string[];
}

/** Analysis of a run of characters without ASCII punctuation or space. */
export interface Analysis {
  readonly words: readonly Word[];
  /** The grams of all words in order, for runs of a script without spaces. */
  readonly grams: readonly string[];
  /** The terms of all words and parts, each followed by a space. */
  readonly terms: string;
  /** The numbers of all words and parts that are not stop words, then those of the grams. */
  readonly hashes: readonly number[];
  /** Number of the text that contained this run last: shows which runs of a text repeat. */
  lastReading: number;
  /** The words as the table of one reader numbers them; readers take turns. */
  numbered: { readonly by: unknown; readonly numbers: readonly number[] } | undefined;
}

/** Matches the words of a non-ASCII run. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Matches text in scripts written without spaces, and in Korean, which joins words and particles. */
const unspacedPattern =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

/** Longer words are compared by their beginning: people type no more, and encoded data is full of them. */
const maxWordLength = 64;

const ascii = /^[\x00-\x7f]*$/;
const lowerCase = /^[a-z]+$/;
const latin = /\p{Script=Latin}/u;
const mixedCase = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
/** Same for ASCII: a query need not wait for the Unicode tables. */
const mixedAscii = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}/;
const caseBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;

/** Analyzes one run: characters other than ASCII punctuation, space and control characters. */
export function analyzeRun(run: string, tokenizer: Tokenizer): Analysis {
  if (ascii.test(run)) {
    const word = readWord(run, tokenizer);
    if (word.parts.length === 0)
      return {
        words: [word],
        grams: none,
        terms: `${word.term} `,
        hashes: word.stop ? none : [word.hash],
        lastReading: 0,
        numbered: undefined,
      };
    return joinWords([word], none);
  }
  const words: Word[] = [];
  const grams: string[] = [];
  for (const [piece] of run.normalize('NFKC').matchAll(wordPattern))
    for (const { text, unspaced } of splitByScript(piece)) {
      if (!unspaced) words.push(readWord(text, tokenizer));
      else {
        const folded = foldText(text);
        for (const segment of segmentWords(folded))
          words.push(makeWord(segment, { grams: gramsOf(segment) }));
        grams.push(...gramsOf(folded));
      }
    }
  return joinWords(words, grams);
}

const none: readonly never[] = [];

function joinWords(words: readonly Word[], grams: readonly string[]): Analysis {
  const all = words.flatMap((word) => [word, ...word.parts]);
  const terms = all.map((word) => `${word.term} `).join('');
  const telling = all.filter((word) => !word.stop).map((word) => word.hash);
  const hashes = [...telling, ...grams.map((gram) => hashText(gram))];
  return { words, grams, terms, hashes, lastReading: 0, numbered: undefined };
}

/** Splits text where scripts with and without spaces meet. */
export function splitByScript(piece: string): { text: string; unspaced: boolean }[] {
  const stretches: { text: string; unspaced: boolean }[] = [];
  let end = 0;
  for (const match of piece.matchAll(unspacedPattern)) {
    if (match.index > end) stretches.push({ text: piece.slice(end, match.index), unspaced: false });
    stretches.push({ text: match[0], unspaced: true });
    end = match.index + match[0].length;
  }
  if (end < piece.length) stretches.push({ text: piece.slice(end), unspaced: false });
  return stretches;
}

let segmenter: Intl.Segmenter | undefined;

/** The words of text in a script without spaces. */
export function segmentWords(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function gramsOf(text: string): string[] {
  const characters = Array.from(text);
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

function readWord(text: string, tokenizer: Tokenizer): Word {
  const capped = text.length > maxWordLength ? text.slice(0, maxWordLength) : text;
  // Most words are plain lower case.
  if (lowerCase.test(capped)) return reduceWord(capped, tokenizer);
  const folded = foldAccents(capped);
  if (!(ascii.test(capped) ? mixedAscii : mixedCase).test(capped)) return reduceWord(folded, tokenizer);
  const pieces = capped.split(caseBoundary);
  // "iOS", "IPv6" and "OAuth" are not split into words.
  const parted = pieces.length > 1 && pieces.every((piece) => piece.length > 1);
  const parts = parted ? pieces.map((piece) => reduceWord(foldAccents(piece), tokenizer)) : none;
  return reduceWord(folded, tokenizer, parts);
}

function reduceWord(form: string, tokenizer: Tokenizer, parts: readonly Word[] = none): Word {
  if (tokenizer !== 'porter' || !lowerCase.test(form) || stopWords.has(form))
    return makeWord(form, { parts });
  const stem = stemWord(form);
  // "use" and "one" are not the stop words "us" and "on".
  return makeWord(stopWords.has(stem) ? `${stem}e` : stem, { parts });
}

/** People often omit accents on Latin letters; in other scripts, marks make a different word. */
function foldAccents(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const folded = foldText(text);
  return latin.test(folded) ? folded.normalize('NFD').replace(/\p{Mn}+/gu, '') : folded;
}

function makeWord(
  term: string,
  { parts = none, grams = none }: { parts?: readonly Word[]; grams?: readonly string[] },
): Word {
  return { term, hash: hashText(term), stop: stopWords.has(term), parts, grams };
}

/** FNV-1a over the first UTF-16 code units, by default all, as a signed 32-bit number. */
export function hashText(text: string, length = text.length): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}

const words = `
a about after all also am an and any are as at be because been before being between both but by can could did do
does doing during each for from had has have having he her here him his how i if in into is it its just me more most
my no nor not of off on once only or other our out over own s same she should so some such t than that the their
them then there these they this those through to too under until up us very was we were what when where which while
who whom why will with would you your
`;

/** Lower-case function words. They are indexed, but only required and scored when a query has no others. */
export const stopWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/));

/** First words of questions. */
export const questionWords: ReadonlySet<string> = new Set(
  'how what when where which who whom whose why is are can could do does did should would will'.split(' '),
);
