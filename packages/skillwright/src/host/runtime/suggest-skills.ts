// Suggests skills for a message: first those whose triggers match, then those that share words with it.

import { compareBytes } from '../../base/files/index.ts';
import { isCommonTerm, stopWords } from '../../base/words/index.ts';
import type { SkillRecord, SkillSearchResult } from '../../read/catalog/index.ts';
import type { TriggerMatch, TriggerMatcher, TriggerReason } from './match-triggers.ts';
import { termsOf } from './match-triggers.ts';

/** Inputs of the suggestions. */
interface Suggestible {
  /** Triggers of the skills the model may see. */
  readonly matcher: TriggerMatcher;
  /** Results of a search for the message among those skills. */
  readonly found: readonly SkillSearchResult[];
}

/** Shared words count less than a trigger the author chose. */
const SEARCH_WEIGHT = 0.5;
/** Minimum number of shared words, unless one is in the skill's name. */
const LEAST_WORDS = 2;
const MAX_REASONS = 5;

/** The suggestions, best first. */
export function suggestSkills(text: string, { matcher, found }: Suggestible): TriggerMatch[] {
  const suggestions = new Map(matcher.match(text).map((match) => [match.skill.path, match] as const));
  const asked = tellingWords(text);
  for (const { skill, score } of found) {
    const reasons = reasonsFor(skill, asked);
    if (reasons.length === 0) continue;
    const before = suggestions.get(skill.path);
    const sum = 1 - (1 - (before?.score ?? 0)) * (1 - SEARCH_WEIGHT * Math.min(1, score));
    suggestions.set(skill.path, {
      skill,
      score: Math.round(sum * 1000) / 1000,
      reasons: [...(before?.reasons ?? []), ...reasons],
    });
  }
  return [...suggestions.values()].sort(
    (a, b) => b.score - a.score || compareBytes(a.skill.path, b.skill.path),
  );
}

/** Words of a message that also occur in the name or description; none when they are too few to be significant. */
function reasonsFor({ name, description }: SkillRecord, asked: ReadonlyMap<string, string>): TriggerReason[] {
  const inName = tellingWords(name);
  const known = new Map([...inName, ...tellingWords(description)]);
  const shared = [...asked].filter(([term]) => known.has(term));
  if (shared.length < LEAST_WORDS && !shared.some(([term]) => inName.has(term))) return [];
  return shared
    .slice(0, MAX_REASONS)
    .map(([term, matched]) => ({ kind: 'description', value: known.get(term)!, matched }));
}

/** Words of a text as written, by their stem, without stop words. */
function tellingWords(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { term, start, end } of termsOf(text))
    if (!words.has(term) && !stopWords.has(term) && !isCommonTerm(term))
      words.set(term, text.slice(start, end));
  return words;
}
