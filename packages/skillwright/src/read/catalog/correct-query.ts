// Corrects typos in a query with the words of skill names and descriptions.

import { editDistance } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { searchFactsOf } from './search-facts.ts';
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
  const { words } = searchFactsOf(catalog);
  const byLength = Map.groupBy(words.keys(), ({ length }) => length);
  const isSeen = (word: string) => words.get(word)!.some((place) => accept(catalog.skills[place]!));
  let left = MAX_WORDS;
  let isCorrected = false;
  const corrected = foldText(query).replace(/[\p{Script=Latin}\p{M}]+/gu, (word) => {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || words.has(word) || left-- <= 0) return word;
    const tolerance = word.length < LONG ? 1 : 2;
    let best: { known: string; distance: number; skills: number } | undefined;
    const longest = Math.min(MAX_LENGTH, word.length + tolerance);
    for (let length = Math.max(MIN_LENGTH, word.length - tolerance); length <= longest; length++)
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
