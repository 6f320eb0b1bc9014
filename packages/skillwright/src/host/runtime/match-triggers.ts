// Matches a message against the triggers of skills.

import { compareBytes } from '../../base/files/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { indexTriggers, type TriggerHit, type TriggerKind } from './trigger-index.ts';
import { compilePatterns } from './trigger-patterns.ts';

/** One reason: the trigger, and the part of the message that matched. */
export interface TriggerReason {
  readonly kind: TriggerKind;
  readonly value: string;
  readonly matched: string;
}

/** A skill whose triggers match a message. */
export interface TriggerMatch {
  readonly skill: SkillRecord;
  /** From 0 to 1: higher with more triggers, and with more specific ones. */
  readonly score: number;
  readonly reasons: readonly TriggerReason[];
}

/** Matches messages against the triggers of one list of skills. */
export interface TriggerMatcher {
  /** The best matches, best first: at most `limit`, by default 50. */
  match(text: string, options?: { readonly limit?: number }): TriggerMatch[];
}

/** Longest part of a message that is examined. */
const MAX_TEXT = 64 * 1024;

/** Prepares a list of skills: keywords in one tree, patterns in one non-backtracking automaton. */
export async function createTriggerMatcher(skills: readonly SkillRecord[]): Promise<TriggerMatcher> {
  const index = indexTriggers(skills);
  const findPatterns = await compilePatterns(index.patterns);
  return {
    match(text, { limit = 50 } = {}) {
      const message = text.slice(0, MAX_TEXT);
      const hits = [...index.find(message), ...findPatterns(message)];
      // The score is the probability that at least one trigger is right, if each is right as often as its weight says.
      const wrong = new Map<number, number>();
      for (const { triggers } of hits)
        for (const { skill, weight } of triggers) wrong.set(skill, (wrong.get(skill) ?? 1) * (1 - weight));
      const best = [...wrong]
        .sort(([a, left], [b, right]) => left - right || compareBytes(skills[a]!.path, skills[b]!.path))
        .slice(0, limit);
      const reasons = reasonsOf(new Set(best.map(([skill]) => skill)), hits, message);
      return best.map(([skill, chance]) => ({
        skill: skills[skill]!,
        score: Math.round((1 - chance) * 1000) / 1000,
        reasons: reasons.get(skill)!,
      }));
    },
  };
}

function reasonsOf(
  wanted: ReadonlySet<number>,
  hits: readonly TriggerHit[],
  message: string,
): Map<number, TriggerReason[]> {
  const reasons = new Map<number, TriggerReason[]>();
  for (const { triggers, start, end } of hits) {
    const matched = message.slice(start, end);
    for (const { skill, kind, value } of triggers) {
      if (!wanted.has(skill)) continue;
      const own = reasons.get(skill) ?? [];
      own.push({ kind, value, matched });
      reasons.set(skill, own);
    }
  }
  return reasons;
}

const matchers = new WeakMap<readonly SkillRecord[], Promise<TriggerMatcher>>();

/** The skills whose triggers match a message, best first. A list of skills is prepared once. */
export async function matchTriggers(text: string, skills: readonly SkillRecord[]): Promise<TriggerMatch[]> {
  const matcher = matchers.get(skills) ?? createTriggerMatcher(skills);
  matchers.set(skills, matcher);
  return (await matcher).match(text);
}
