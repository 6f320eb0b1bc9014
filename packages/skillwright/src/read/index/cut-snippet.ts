// A sentence or heading on one line, with the matched words marked; of a long one, the part that best shows why it was found.

import {
  type RunScanner,
  runPattern,
  segmentWords,
  splitByScript,
  wordPattern,
} from '../../base/words/index.ts';
import type { ShownWord } from './find-passage.ts';

/** Most words in a snippet. */
const snippetTokens = 32;
/** Weight of a word that the snippet has already. */
const repeated = 0.1;

interface Token {
  readonly start: number;
  readonly end: number;
  /** Positions of the query words it matches. */
  readonly matches: readonly number[];
}

/** Creates the cutter for one query; `weights` has the weight of each of its words. */
export function createSnippetCutter(
  words: readonly ShownWord[],
  weights: readonly number[],
  scan: RunScanner,
): (text: string) => string {
  const readTokens = createTokenReader(words, scan);
  return (text) => {
    const tokens = readTokens(text);
    const first = findWindow(tokens, weights);
    const shown = tokens.slice(first, first + snippetTokens);
    const [start, end] = [shown[0], shown.at(-1)];
    if (start === undefined || end === undefined) return '';
    const cutBefore = first > 0;
    const cutAfter = first + shown.length < tokens.length;
    const range = { from: cutBefore ? start.start : 0, to: cutAfter ? end.end : text.length };
    const marked = markMatches(text, range, shown).replace(/\s+/g, ' ').trim();
    return `${cutBefore ? '… ' : ''}${marked}${cutAfter ? ' …' : ''}`;
  };
}

/** Such a run is one word. */
const ascii = /^[\x00-\x7f]*$/;

function createTokenReader(words: readonly ShownWord[], scan: RunScanner): (text: string) => Token[] {
  const places = new Map(words.map((word, place) => [word.term, place]));
  const unspaced = words.filter(({ grams }) => grams.length > 0).map(({ term }) => term);
  // Terms are letters, marks and digits and need no escaping.
  const sought = unspaced.length === 0 ? /(?!)/ : new RegExp(`(${unspaced.join('|')})`);
  // Most words of a text repeat.
  const known = new Map<string, readonly number[]>();
  const matchesOf = (piece: string): readonly number[] => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const found = new Set<number>();
    scan(piece, ({ words }) => {
      for (const { term } of words.flatMap((word) => [word, ...word.parts])) {
        const place = places.get(term);
        if (place !== undefined) found.add(place);
      }
    });
    known.set(piece, [...found]);
    return [...found];
  };
  return (text) => {
    const tokens: Token[] = [];
    const add = (start: number, piece: string) =>
      tokens.push({ start, end: start + piece.length, matches: matchesOf(piece) });
    for (const { 0: run, index } of text.matchAll(new RegExp(runPattern, 'g')))
      if (ascii.test(run)) add(index, run);
      else for (const { start, piece } of cutRun(run, sought)) add(index + start, piece);
    return tokens;
  };
}

/** The words of a run. In a script without spaces, finds the query words at any position. */
function* cutRun(run: string, sought: RegExp): Generator<{ readonly start: number; readonly piece: string }> {
  for (const { 0: word, index } of run.matchAll(wordPattern)) {
    let start = index;
    for (const { text, unspaced } of splitByScript(word)) {
      // Every second piece of a split by a group is a match of it.
      const pieces = unspaced
        ? text.split(sought).flatMap((piece, at) => (at % 2 === 1 ? piece : segmentWords(piece)))
        : [text];
      for (const piece of pieces) {
        yield { start, piece };
        start += piece.length;
      }
    }
  }
}

/** The first token of the window that matches most, with some words around its matches. */
function findWindow(tokens: readonly Token[], weights: readonly number[]): number {
  let best = { score: 0, first: 0, last: 0 };
  tokens.forEach(({ matches }, first) => {
    if (matches.length === 0) return;
    const seen = new Set<number>();
    const found = { score: 0, first, last: first };
    for (const [after, token] of tokens.slice(first, first + snippetTokens).entries())
      for (const place of token.matches) {
        found.score += (weights[place] ?? 0) * (seen.has(place) ? repeated : 1);
        found.last = first + after;
        seen.add(place);
      }
    if (found.score > best.score + 1e-9) best = found;
  });
  const room = snippetTokens - (best.last - best.first + 1);
  return Math.max(0, Math.min(best.first - Math.floor(room / 2), tokens.length - snippetTokens));
}

function markMatches(text: string, range: { from: number; to: number }, tokens: readonly Token[]): string {
  let marked = '';
  let position = range.from;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.matches.length === 0) continue;
    let end = token.end;
    // `max_tokens` is marked as one word.
    for (let next = tokens[index + 1]; next && next.matches.length > 0; next = tokens[index + 1]) {
      if (/\s/.test(text.slice(end, next.start))) break;
      end = next.end;
      index++;
    }
    marked += `${text.slice(position, token.start)}[MATCH]${text.slice(token.start, end)}[/MATCH]`;
    position = end;
  }
  return marked + text.slice(position, range.to);
}
