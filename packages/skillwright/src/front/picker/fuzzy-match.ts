// Fuzzy matching: whether the letters of a query occur in a name in order, and how well. Word starts and runs of letters
// score highest.

import { foldText } from '../../base/markdown/index.ts';
import { splitCharacters } from '../commands/index.ts';

/** Score of a match, and the matching characters of the name. */
interface FuzzyMatch {
  readonly score: number;
  readonly letters: ReadonlySet<number>;
}

/** A name prepared for search: its folded text, and for each unit of it the character of the name it comes from. */
export interface FuzzyName {
  readonly folded: string;
  readonly characters: readonly number[];
}

/** Prepares a name; keep it while the user types. */
export function prepareName(name: string): FuzzyName {
  let folded = '';
  const characters: number[] = [];
  splitCharacters(name).forEach((character, at) => {
    const part = /\s/.test(character) ? ' ' : foldText(character);
    folded += part;
    for (let unit = 0; unit < part.length; unit++) characters.push(at);
  });
  return { folded, characters };
}

/** The best match of all words of a query; undefined when one of them does not occur. */
export function matchFuzzy(name: FuzzyName, query: string): FuzzyMatch | undefined {
  const letters = new Set<number>();
  let score = 0;
  for (const word of foldText(query).split(' ').filter(Boolean)) {
    const best = matchWord(name.folded, word);
    if (best === undefined) return undefined;
    score += best.score;
    for (const unit of best.units) letters.add(name.characters[unit]!);
  }
  return { score, letters };
}

const LETTER = 16;
const BEGINS_NAME = 12;
const BEGINS_WORD = 8;
const NEIGHBOUR = 6;
const GAP = 2;
/** Most start positions tried; further ones rarely improve the match. */
const MAX_STARTS = 16;

interface Found {
  readonly score: number;
  readonly units: readonly number[];
}

/** Finds the position of the next letter; -1 when there is none. */
type Pick = (name: string, letter: string, from: number) => number;

function matchWord(name: string, word: string): Found | undefined {
  // Try the word as a run of letters first, which a search from the left may miss.
  const together = name.indexOf(word);
  const found = together === -1 ? [] : [matchFrom(name, word, { start: together, pick: pickNext })];
  let start = name.indexOf(word[0]!);
  for (let tried = 0; start !== -1 && tried < MAX_STARTS; tried++) {
    const next = matchFrom(name, word, { start, pick: pickNext });
    // A later start has even fewer letters to match.
    if (next === undefined) break;
    found.push(next, matchFrom(name, word, { start, pick: pickBegun }));
    start = name.indexOf(word[0]!, start + 1);
  }
  return found.reduce(
    (best, one) => (one !== undefined && one.score > (best?.score ?? -1) ? one : best),
    undefined,
  );
}

function matchFrom(
  name: string,
  word: string,
  { start, pick }: { start: number; pick: Pick },
): Found | undefined {
  const units: number[] = [];
  let score = 0;
  for (const letter of word.split('')) {
    const before = units.at(-1);
    const at = before === undefined ? start : pick(name, letter, before + 1);
    if (at === -1) return undefined;
    score += LETTER + placeBonus(name, at);
    if (before !== undefined) score += at === before + 1 ? NEIGHBOUR : -GAP * Math.min(8, at - before - 1);
    units.push(at);
  }
  return { score, units };
}

const pickNext: Pick = (name, letter, from) => name.indexOf(letter, from);

/** The letter right here, otherwise at the start of a word, otherwise the next one. */
const pickBegun: Pick = (name, letter, from) => {
  const next = name.indexOf(letter, from);
  if (next === from) return next;
  for (let at = next; at !== -1; at = name.indexOf(letter, at + 1)) if (placeBonus(name, at) > 0) return at;
  return next;
};

function placeBonus(name: string, at: number): number {
  if (at === 0) return BEGINS_NAME;
  return /[^\p{L}\p{N}]/u.test(name[at - 1]!) ? BEGINS_WORD : 0;
}
