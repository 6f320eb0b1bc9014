// Corrects typos in a query with the words of skill names and descriptions.

import { editDistance } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { SkillCatalog, SkillRecord } from './skill-record.ts';

/** Shorter words have too many similar ones. */
const MIN_LENGTH = 4;
/** Words of this length may have two typos; longer ones are not corrected. */
const LONG = 8;
const MAX_LENGTH = 40;
/** Further words of a query are left unchanged. */
const MAX_WORDS = 8;

/**
 * The query with misspelt words corrected; undefined when there is nothing to correct. Uses only names and
 * descriptions of skills the caller may find, so that a correction reveals nothing.
 */
export function correctQuery(
  catalog: SkillCatalog,
  query: string,
  accept: (skill: SkillRecord) => boolean,
): string | undefined {
  const { words, byLength } = vocabularyOf(catalog);
  const isSeen = (word: string) => words.get(word)!.some((place) => accept(catalog.skills[place]!));
  let left = MAX_WORDS;
  let isCorrected = false;
  const corrected = foldText(query).replace(/[\p{Script=Latin}\p{M}]+/gu, (word) => {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || words.has(word) || left-- <= 0) return word;
    const tolerance = word.length < LONG ? 1 : 2;
    let best: { known: string; distance: number; skills: number } | undefined;
    for (let length = word.length - tolerance; length <= word.length + tolerance; length++)
      for (const known of byLength.get(length) ?? []) {
        const distance = editDistance(word, known, tolerance);
        const skills = words.get(known)!.length;
        const isBetter =
          best === undefined ||
          distance < best.distance ||
          (distance === best.distance &&
            (skills > best.skills || (skills === best.skills && known < best.known)));
        if (distance <= tolerance && isBetter && isSeen(known)) best = { known, distance, skills };
      }
    isCorrected ||= best !== undefined;
    return best?.known ?? word;
  });
  return isCorrected ? corrected : undefined;
}

interface Vocabulary {
  /** Words with the positions of the skills that contain them. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  readonly byLength: ReadonlyMap<number, readonly string[]>;
}

const vocabularies = new WeakMap<SkillCatalog, Vocabulary>();

/** Words of all names and descriptions, collected on first use. */
function vocabularyOf(catalog: SkillCatalog): Vocabulary {
  const known = vocabularies.get(catalog);
  if (known !== undefined) return known;
  const words = new Map<string, number[]>();
  catalog.skills.forEach(({ name, description }, place) => {
    for (const word of new Set(foldText(`${name} ${description}`).match(/[\p{Script=Latin}\p{M}]+/gu))) {
      if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) continue;
      const places = words.get(word);
      if (places === undefined) words.set(word, [place]);
      else places.push(place);
    }
  });
  const vocabulary = { words, byLength: Map.groupBy(words.keys(), ({ length }) => length) };
  vocabularies.set(catalog, vocabulary);
  return vocabulary;
}
