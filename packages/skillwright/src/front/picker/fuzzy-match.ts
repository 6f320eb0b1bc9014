// Whether the letters of a query appear in a name, in order, and how well: begun words and neighbouring letters count most.

import { foldText } from '../../base/markdown/index.ts';
import { splitCharacters } from '../commands/index.ts';

/** How well a name matches, and which of its characters the query means. */
export interface FuzzyMatch {
  readonly score: number;
  readonly letters: ReadonlySet<number>;
}

/** A name as it is searched: its folded text, and for each unit of that the character of the name it comes from. */
export interface FuzzyName {
  readonly folded: string;
  readonly characters: readonly number[];
}

/** Prepares a name; worth keeping while somebody types. */
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

/** The best match of all words of a query; undefined when one of them does not appear. */
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
/** Starts that are tried; more of them in one name find nothing better worth waiting for. */
const MAX_STARTS = 16;

interface Found {
  readonly score: number;
  readonly units: readonly number[];
}

/** Where the next letter is taken from; -1 when there is none. */
type Pick = (name: string, letter: string, from: number) => number;

function matchWord(name: string, word: string): Found | undefined {
  // Letters that stand together are found as they stand, which a search from the left may miss.
  const together = name.indexOf(word);
  const found = together === -1 ? [] : [matchFrom(name, word, { start: together, pick: pickNext })];
  let start = name.indexOf(word[0]!);
  for (let tried = 0; start !== -1 && tried < MAX_STARTS; tried++) {
    const next = matchFrom(name, word, { start, pick: pickNext });
    // A later start has even fewer letters to choose from.
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

/** The letter right here, else where a word begins with it, else the next one. */
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
