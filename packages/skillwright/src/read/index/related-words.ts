// Other words of a skill to look for: those that begin like a word of the query ("repo", "repository"). Instead of a word the
// skill does not have, the ones most like it, or else spelled almost alike.

import type { DatabaseSync } from 'node:sqlite';
import { editDistance } from '../../base/diagnostics/index.ts';
import { BEGINNING, beginningFactor, type Word } from '../../base/words/index.ts';

/** A term of the skill that counts as a fraction of a word. */
export interface RelatedTerm {
  readonly term: string;
  readonly factor: number;
}

/** A word in the vocabulary of a skill. */
interface KnownWord {
  /** Number of sections with it, or with the terms that stand for it. */
  readonly frequency: number;
  /** The terms that stand for a word the skill does not have. */
  readonly instead: readonly string[];
  /** Terms that count less. */
  readonly related: readonly RelatedTerm[];
}

/** Looks a word up. */
export type WordFinder = (word: Word) => KnownWord;

/** Shorter words have too many others like them. */
const MIN_LENGTH = 4;
/** Words of this length may have two typos. */
const LONG = 8;
const MAX_INSTEAD = 3;
/** Most terms of one kind that are related to a word. */
const MAX_RELATED = 6;

/** Prepares the lookup in the vocabulary of one index. */
export function createWordFinder(database: DatabaseSync): WordFinder {
  const selectFrequency = database.prepare('SELECT doc FROM sections_terms WHERE term = ?');
  const selectBetween = database.prepare('SELECT term, doc FROM sections_terms WHERE term >= ? AND term < ?');
  const frequencyOf = (term: string) => Number(selectFrequency.get(term)?.doc ?? 0);
  const startingWith = (beginning: string): KnownTerm[] =>
    selectBetween.all(beginning, `${beginning}\u{10ffff}`).map(({ term, doc }) => ({
      term: String(term),
      frequency: Number(doc),
    }));
  return ({ term, grams }) => {
    const frequency = frequencyOf(term);
    if (grams.length > 0) return { frequency, instead: [], related: [] };
    const kin = term.length < MIN_LENGTH ? [] : startingWith(term.slice(0, BEGINNING));
    if (frequency > 0) {
      const alike = mostFrequent(kin.filter((known) => isAlike(known.term, term)));
      const related = alike.map((known) => ({ term: known.term, factor: beginningFactor }));
      return { frequency, instead: [], related };
    }
    if (term.length < MIN_LENGTH) return { frequency, instead: [], related: [] };
    const distant = kin.map((known) => ({ ...known, distance: -sharedLength(known.term, term) }));
    const found = distant.length > 0 ? distant : findSpelled(term, startingWith(term.charAt(0)));
    const best = Math.min(...found.map(({ distance }) => distance));
    const instead = mostFrequent(found.filter(({ distance }) => distance === best)).slice(0, MAX_INSTEAD);
    return {
      frequency: instead.reduce((sum, known) => sum + known.frequency, 0),
      instead: instead.map((known) => known.term),
      related: [],
    };
  };
}

/** Whether one word begins like the other, but for the ends: "config" and "configure", not "electric" and "electron". */
function isAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  const shared = sharedLength(a, b);
  return (
    a !== b && shared >= BEGINNING && shared >= shorter - 1 && Math.max(a.length, b.length) - shorter <= 3
  );
}

const mostFrequent = (terms: readonly KnownTerm[]) =>
  terms.toSorted((a, b) => b.frequency - a.frequency || (a.term < b.term ? -1 : 1)).slice(0, MAX_RELATED);

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
