// The part of a section that best shows why it was found, on one line, with the matched words marked.

import {
  type RunScanner,
  runPattern,
  segmentWords,
  splitByScript,
  type Word,
  wordPattern,
} from '../../base/words/index.ts';
import type { ShownWord } from './find-passage.ts';

/** Most words in a snippet. */
const snippetTokens = 32;

interface Token {
  readonly start: number;
  readonly end: number;
  /** Positions of the query words it matches. */
  readonly matches: readonly number[];
}

/** Cuts the window with the highest weight of query words; the first of several. */
type SnippetCutter = (text: string) => string;

/** Creates the cutter for one query; `weights` has the weight of each of its words. */
export function createSnippetCutter(
  words: readonly ShownWord[],
  weights: readonly number[],
  scan: RunScanner,
): SnippetCutter {
  const readTokens = createTokenReader(words, scan);
  return (text) => {
    const tokens = readTokens(text);
    const first = findWindow(tokens, weights);
    const shown = tokens.slice(first, first + snippetTokens);
    if (shown.length === 0) return '';
    const cutBefore = first > 0;
    const cutAfter = first + shown.length < tokens.length;
    const range = {
      from: cutBefore ? (shown[0] as Token).start : 0,
      to: cutAfter ? (shown.at(-1) as Token).end : text.length,
    };
    const marked = markMatches(text, range, shown).replace(/\s+/g, ' ').trim();
    return `${cutBefore ? '… ' : ''}${marked}${cutAfter ? ' …' : ''}`;
  };
}

const noMatches: readonly number[] = [];

type TokenReader = (text: string) => Token[];

function createTokenReader(words: readonly ShownWord[], scan: RunScanner): TokenReader {
  const unspaced = words.filter((word) => word.grams.length > 0).map((word) => word.term);
  // Almost no word of a text is in the query, which usually shows by its first letter: only words that are not ASCII
  // or have parts need an analysis.
  const initials = words.map(({ term }) => term.charAt(0)).filter((letter) => /[a-z0-9]/.test(letter));
  const promising = new RegExp(
    `[^\\x00-\\x7f]|.[A-Z]${initials.map((letter) => `|^${letter}|^${letter.toUpperCase()}`).join('')}`,
  );
  // The position of a single word, created once for all its tokens.
  const alone = new Map(words.map((word, place) => [word.term, [place]]));
  const matchesOf = (analyzed: readonly Word[]): readonly number[] => {
    const [only] = analyzed;
    if (only !== undefined && analyzed.length === 1 && only.parts.length === 0)
      return alone.get(only.term) ?? noMatches;
    const all = analyzed.flatMap((word) => [word, ...word.parts]);
    const found = new Set(all.flatMap(({ term }) => alone.get(term) ?? noMatches));
    return found.size === 0 ? noMatches : [...found];
  };
  return (text) => {
    const tokens: Token[] = [];
    const addRun = (run: string, start: number): void =>
      scan(run, ({ words }) => {
        if (words.length === 1 && words[0]?.grams.length === 0)
          tokens.push({ start, end: start + run.length, matches: matchesOf(words) });
        else
          for (const piece of cutRun(run, unspaced))
            scan(piece.token, ({ words }) => {
              const at = start + piece.start;
              tokens.push({ start: at, end: at + piece.token.length, matches: matchesOf(words) });
            });
      });
    for (const found of text.matchAll(new RegExp(runPattern, 'g'))) {
      const [run] = found;
      if (promising.test(run)) addRun(run, found.index);
      else tokens.push({ start: found.index, end: found.index + run.length, matches: noMatches });
    }
    return tokens;
  };
}

/** The words of a run. In a script without spaces, finds the query words at any position. */
function cutRun(run: string, unspaced: readonly string[]): { start: number; token: string }[] {
  const pieces: { start: number; token: string }[] = [];
  for (const match of run.matchAll(wordPattern)) {
    let start = match.index;
    for (const stretch of splitByScript(match[0])) {
      for (const token of stretch.unspaced ? cutUnspaced(stretch.text, unspaced) : [stretch.text]) {
        pieces.push({ start, token });
        start += token.length;
      }
    }
  }
  return pieces;
}

function cutUnspaced(text: string, terms: readonly string[]): string[] {
  const pieces: string[] = [];
  let done = 0;
  const cutRest = (end: number): void => {
    if (end > done) pieces.push(...segmentWords(text.slice(done, end)));
  };
  for (let at = 0; at < text.length; ) {
    const term = terms.find((candidate) => text.startsWith(candidate, at));
    if (term === undefined) at++;
    else {
      cutRest(at);
      pieces.push(term);
      at += term.length;
      done = at;
    }
  }
  cutRest(text.length);
  return pieces;
}

/** Start of the best window: distinct words count in full, repeated ones a little. */
function findWindow(tokens: readonly Token[], weights: readonly number[]): number {
  const counts = new Array<number>(weights.length).fill(0);
  let score = 0;
  const change = (token: Token | undefined, by: 1 | -1): void => {
    for (const place of token?.matches ?? noMatches) {
      const before = counts[place] as number;
      counts[place] = before + by;
      const distinct = (by === 1 ? before : before - 1) === 0;
      score += by * (weights[place] as number) * (distinct ? 1 : 0.1);
    }
  };
  let best = 0;
  let bestScore = 0;
  for (let end = 0; end < tokens.length; end++) {
    change(tokens[end], 1);
    if (end >= snippetTokens) change(tokens[end - snippetTokens], -1);
    if (score > bestScore + 1e-9) {
      best = Math.max(0, end - snippetTokens + 1);
      bestScore = score;
    }
  }
  return centre(tokens, best);
}

/** The best window ends with its last match; a few more words make it easier to read. */
function centre(tokens: readonly Token[], start: number): number {
  const firstMatch = tokens
    .slice(start, start + snippetTokens)
    .findIndex(({ matches }) => matches !== noMatches);
  if (start === 0 || firstMatch < 0) return start;
  return Math.max(0, Math.min(start + Math.floor(firstMatch / 2), tokens.length - snippetTokens));
}

function markMatches(text: string, range: { from: number; to: number }, tokens: readonly Token[]): string {
  let marked = '';
  let position = range.from;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.matches === noMatches) continue;
    let end = token.end;
    // `max_tokens` is marked as one word.
    for (let next = tokens[index + 1]; next && next.matches !== noMatches; next = tokens[index + 1]) {
      if (/\s/.test(text.slice(end, next.start))) break;
      end = next.end;
      index++;
    }
    marked += `${text.slice(position, token.start)}[MATCH]${text.slice(token.start, end)}[/MATCH]`;
    position = end;
  }
  return marked + text.slice(position, range.to);
}
