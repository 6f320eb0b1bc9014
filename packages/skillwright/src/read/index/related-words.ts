// Words of a skill to look for instead of a word it does not have: those that begin alike ("repo", "repository"), else
// those spelled almost alike.

import type { DatabaseSync } from 'node:sqlite';
import { editDistance } from '../../base/diagnostics/index.ts';
import { BEGINNING, type Word } from '../../base/words/index.ts';

/** Number of sections with a word; when there are none, the terms to look for instead. */
export type WordFinder = (word: Word) => { readonly frequency: number; readonly instead: readonly string[] };

/** Shorter words have too many others like them. */
const MIN_LENGTH = 4;
/** Words of this length may have two typos. */
const LONG = 8;
const MAX_INSTEAD = 3;

/** Prepares the lookup in the vocabulary of one index. */
export function createWordFinder(database: DatabaseSync): WordFinder {
  const selectFrequency = database.prepare('SELECT doc FROM sections_terms WHERE term = ?');
  const selectBetween = database.prepare('SELECT term, doc FROM sections_terms WHERE term >= ? AND term < ?');
  const startingWith = (beginning: string) =>
    selectBetween.all(beginning, `${beginning}\u{10ffff}`).map(({ term, doc }) => ({
      term: String(term),
      frequency: Number(doc),
    }));
  return ({ term, grams }) => {
    const frequency = Number(selectFrequency.get(term)?.doc ?? 0);
    if (frequency > 0 || grams.length > 0 || term.length < MIN_LENGTH) return { frequency, instead: [] };
    const kin = startingWith(term.slice(0, BEGINNING)).map((known) => ({
      ...known,
      distance: -sharedLength(known.term, term),
    }));
    const found = kin.length > 0 ? kin : findSpelled(term, startingWith(term.charAt(0)));
    const best = Math.min(...found.map(({ distance }) => distance));
    const instead = found
      .filter(({ distance }) => distance === best)
      .sort((a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
      .slice(0, MAX_INSTEAD);
    return {
      frequency: instead.reduce((sum, known) => sum + known.frequency, 0),
      instead: instead.map((known) => known.term),
    };
  };
}

interface KnownTerm {
  readonly term: string;
  readonly frequency: number;
}

function findSpelled(term: string, known: readonly KnownTerm[]): (KnownTerm & { distance: number })[] {
  const tolerance = term.length < LONG ? 1 : 2;
  return known
    .filter((other) => Math.abs(other.term.length - term.length) <= tolerance)
    .map((other) => ({ ...other, distance: editDistance(other.term, term, tolerance) }))
    .filter(({ distance }) => distance <= tolerance);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
