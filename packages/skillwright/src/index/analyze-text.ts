// Text as search terms. The same reading serves the index, the queries and the snippets, so they cannot disagree.
//
// A word is a run of letters, marks and digits: `snake_case`, `foo.bar` and `--flag` are the words they are made of.
// `camelCase` is one word that can also be found by its parts. Scripts written without spaces are cut into words by
// Intl.Segmenter; as that depends on a dictionary, their pairs of characters are kept as well ("grams").

import { foldText } from '../markdown/fold-text.ts';
import { stemWord } from './stem-word.ts';
import { stopWords } from './stop-words.ts';

/** How words are reduced: `porter` takes English endings off, `unicode` only folds case and accents. */
export type Tokenizer = 'unicode' | 'porter';

/** One word of a text. */
export interface Word {
  readonly term: string;
  /** The term as a number, for comparing without strings. */
  readonly hash: number;
  readonly stop: boolean;
  /** The terms of the parts of a `camelCase` word. */
  readonly parts: readonly Word[];
  /** For a script without spaces: the pairs of characters of this word, the last character alone included. */
  readonly grams: readonly string[];
}

/** What a run of characters without ASCII punctuation or space consists of. */
export interface Analysis {
  readonly words: readonly Word[];
  /** The grams of all words in a row, for runs of a script without spaces. */
  readonly grams: readonly string[];
  /** The terms of all words and parts, separated by spaces. */
  readonly terms: string;
  /** The numbers of all words and parts that are not stop words. */
  readonly hashes: readonly number[];
}

/** Matches the words of a run that is not ASCII. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Matches stretches in scripts that are written without spaces, and Korean, which joins words and particles. */
const unspacedPattern =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

/** Longer words are compared by their beginning: nobody types more, and encoded data is full of them. */
const maxWordLength = 64;

const ascii = /^[\x00-\x7f]*$/;
const lowerCase = /^[a-z]+$/;
const latin = /\p{Script=Latin}/u;
const mixedCase = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
const caseBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;

/** Analyzes one run: characters other than ASCII punctuation, space and control characters. */
export function analyzeRun(run: string, tokenizer: Tokenizer): Analysis {
  const words: Word[] = [];
  const grams: string[] = [];
  if (ascii.test(run)) {
    const word = readWord(run, tokenizer);
    if (word.parts.length === 0)
      return { words: [word], grams, terms: word.term, hashes: word.stop ? [] : [word.hash] };
    words.push(word);
  } else
    for (const [piece] of run.normalize('NFKC').matchAll(wordPattern)) {
      for (const { text, unspaced } of splitByScript(piece)) {
        if (!unspaced) words.push(readWord(text, tokenizer));
        else {
          const folded = foldText(text);
          for (const segment of segmentWords(folded)) words.push(makeWord(segment, gramsOf(segment)));
          grams.push(...gramsOf(folded));
        }
      }
    }
  const all = words.flatMap((word) => [word, ...word.parts]);
  const terms = all.map((word) => word.term).join(' ');
  return { words, grams, terms, hashes: all.filter((word) => !word.stop).map((word) => word.hash) };
}

/** Cuts a piece of text where scripts with and without spaces meet. */
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

/** The words in text of a script without spaces. */
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
  const parts: Word[] = [];
  // Most words are plain lower case.
  if (!lowerCase.test(capped) && mixedCase.test(capped)) {
    const pieces = capped.split(caseBoundary);
    // "iOS", "IPv6" and "OAuth" are not made of words.
    if (pieces.length > 1 && pieces.every((piece) => piece.length > 1))
      for (const piece of pieces) parts.push(makeWord(reduce(piece, tokenizer), []));
  }
  return makeWord(reduce(capped, tokenizer), [], parts);
}

function reduce(text: string, tokenizer: Tokenizer): string {
  const folded = ascii.test(text) ? text.toLowerCase() : foldAccents(text);
  const stemmed = tokenizer === 'porter' && lowerCase.test(folded) && !stopWords.has(folded);
  return stemmed ? stemWord(folded) : folded;
}

/** Accents on Latin letters are often left out when typing; elsewhere marks make another word. */
function foldAccents(text: string): string {
  const folded = foldText(text);
  return latin.test(folded) ? folded.normalize('NFD').replace(/\p{Mn}+/gu, '') : folded;
}

function makeWord(term: string, grams: readonly string[], parts: readonly Word[] = []): Word {
  return { term, hash: hashTerm(term), stop: stopWords.has(term), parts, grams };
}

/** FNV-1a over UTF-16 code units, as a signed 32-bit number. */
function hashTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  return hash | 0;
}
