// The part of a section that shows best why it was found, on one line, with the matched words marked.

import { type Analysis, segmentWords, splitByScript, type Word, wordPattern } from './analyze-text.ts';
import type { RunScanner } from './scan-runs.ts';

/** How many words a snippet has at most. */
const snippetTokens = 32;

/** When the beginning of a long text holds a match, the rest is not looked at. */
const enoughLength = 4096;

interface Token {
  readonly start: number;
  readonly end: number;
  /** The places in the query of the words it matches. */
  readonly matches: readonly number[];
}

/** Cuts the window of words that holds the most weight of the query, the first of several. */
export type SnippetCutter = (text: string) => string;

/** Makes the cutter for one query; `weights` says what each of its words is worth. */
export function createSnippetCutter(
  words: readonly Word[],
  weights: readonly number[],
  scan: RunScanner,
): SnippetCutter {
  const readTokens = createTokenReader(words, scan);
  return (text) => {
    const { tokens, complete } = readTokens(text);
    const first = findWindow(tokens, weights);
    const shown = tokens.slice(first, first + snippetTokens);
    if (shown.length === 0) return '';
    const cutBefore = first > 0;
    const cutAfter = first + shown.length < tokens.length || !complete;
    const from = cutBefore ? (shown[0] as Token).start : 0;
    const to = cutAfter ? (shown.at(-1) as Token).end : text.length;
    const marked = markMatches(text, { from, to }, shown).replace(/\s+/g, ' ').trim();
    return `${cutBefore ? '… ' : ''}${marked}${cutAfter ? ' …' : ''}`;
  };
}

const noMatches: readonly number[] = [];

/** Reads the words of a text, or of its beginning when that is enough. */
function createTokenReader(
  words: readonly Word[],
  scan: RunScanner,
): (text: string) => { tokens: Token[]; complete: boolean } {
  const places = new Map(words.map((word, index) => [word.term, index]));
  const unspaced = words.filter((word) => word.grams.length > 0).map((word) => word.term);
  const findMatches = ({ words }: Analysis): readonly number[] => {
    const found = new Set<number>();
    for (const word of words)
      for (const { term } of [word, ...word.parts]) {
        const place = places.get(term);
        if (place !== undefined) found.add(place);
      }
    return found.size === 0 ? noMatches : [...found];
  };
  const known = new Map<Analysis, readonly number[]>();
  const matchesOf = (analysis: Analysis): readonly number[] => {
    const matches = known.get(analysis) ?? findMatches(analysis);
    known.set(analysis, matches);
    return matches;
  };
  const read = (text: string): Token[] => {
    const tokens: Token[] = [];
    scan(text, (analysis, start, end) => {
      const [only] = analysis.words;
      if (only !== undefined && analysis.words.length === 1 && only.grams.length === 0)
        tokens.push({ start, end, matches: matchesOf(analysis) });
      else
        for (const piece of cutRun(text.slice(start, end), unspaced))
          scan(piece.token, (analysis) => {
            const at = start + piece.start;
            tokens.push({ start: at, end: at + piece.token.length, matches: matchesOf(analysis) });
          });
    });
    return tokens;
  };

  return (text) => {
    if (text.length > enoughLength) {
      // The last word may be cut in two.
      const tokens = read(text.slice(0, enoughLength)).slice(0, -1);
      if (tokens.some(({ matches }) => matches !== noMatches)) return { tokens, complete: false };
    }
    return { tokens: read(text), complete: true };
  };
}

/** The words of a run. In a script without spaces those that are looked for are cut out wherever they stand. */
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

/** The start of the best window: different words count in full, repeated ones a little. */
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

/** The best window ends with its last match; some words after that make it easier to read. */
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
    // `max_tokens` is marked as one.
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
