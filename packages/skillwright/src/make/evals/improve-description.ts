// Proposes a description that wins more of a skill's requests, without losing what it wins now. It is written for one part
// of the requests, and measured on the part that is held out.

import * as z from 'zod';
import { isCommonTerm, scannerFor, stopWords } from '../../base/words/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { DESCRIPTION_LIMIT, fitsWithin } from '../../skill/format/index.ts';
import type { Located, TriggerQuery } from './eval-case.ts';
import type { QueryJudge } from './judge-queries.ts';

/** Requests of one skill. */
export interface OwnRequests {
  readonly record: SkillRecord;
  readonly queries: readonly Located<TriggerQuery>[];
}

/** A description, and how it does. */
interface RatedDescription {
  readonly text: string;
  readonly added: readonly string[];
  readonly score: number;
}

const PassedCount = z.object({ passed: z.number().int(), requests: z.number().int() });
const Compared = z.object({ before: PassedCount, after: PassedCount });

/** The result. */
export const DescriptionProposal = z.object({
  before: z.string().describe('The description'),
  after: z.string().nullable().describe('The proposed one; null if none is better'),
  added: z.array(z.string()).describe('Words of requests that it gained'),
  seen: Compared.describe('Requests it was written for'),
  held_out: Compared.describe('Requests it was not written for'),
});

/** Each round tries every phrase; after this many the description would be a list. */
const MAX_ADDED = 6;
const MAX_PHRASES = 40;
const MAX_PHRASE_WORDS = 3;

/** Proposes by the words of lost requests. Texts of a model, if there are some, compete with those. */
export function improveDescription(
  own: OwnRequests,
  {
    judge,
    others,
    candidates = [],
  }: {
    readonly judge: QueryJudge;
    /** Requests of the other skills, which it must not take. */
    readonly others: readonly OwnRequests[];
    readonly candidates?: readonly string[];
  },
): z.output<typeof DescriptionProposal> {
  const { record } = own;
  const { description: before } = record;
  const seen = own.queries.filter(({ isHeldOut }) => isHeldOut !== true);
  const heldOut = own.queries.filter(({ isHeldOut }) => isHeldOut === true);
  const countIn = (text: string, queries: readonly Located<TriggerQuery>[]) => {
    const passes = judge.describedAs(record, text).passes(record, queries);
    return { passed: passes.filter(Boolean).length, requests: queries.length };
  };
  // Near misses that do not choose it now must not afterwards, and no other skill may lose a request.
  const kept = [{ record, queries: seen.filter((query) => !query.should_trigger) }, ...others].map((one) => {
    const passes = judge.passes(one.record, one.queries);
    return { ...one, queries: one.queries.filter((_, at) => passes[at]) };
  });
  const scoreOf = (text: string): number => {
    const now = judge.describedAs(record, text);
    const isLost = kept.some((one) => now.passes(one.record, one.queries).includes(false));
    return isLost ? -1 : now.passes(record, seen).filter(Boolean).length;
  };
  let best: RatedDescription = { text: before, added: [], score: countIn(before, seen).passed };
  for (const text of candidates.filter((one) => fitsWithin(one, DESCRIPTION_LIMIT))) {
    const score = scoreOf(text);
    if (score > best.score) best = { text, added: [], score };
  }
  const passes = judge.passes(record, seen);
  const phrases = phrasesOf(seen.filter((query, at) => query.should_trigger && !passes[at]));
  const base = best.text;
  for (let round = 0; round < MAX_ADDED; round++) {
    const tried = phrases
      .filter((phrase) => !best.added.includes(phrase))
      .map((phrase) => [...best.added, phrase])
      .map((added) => ({ added, text: withPhrases(base, added) }))
      .filter(({ text }) => fitsWithin(text, DESCRIPTION_LIMIT))
      .map((one) => ({ ...one, score: scoreOf(one.text) }));
    const next = tried.reduce<RatedDescription>((a, b) => (b.score > a.score ? b : a), best);
    if (next === best) break;
    best = next;
  }
  const isBetter = best.text !== before;
  return {
    before,
    after: isBetter ? best.text : null,
    added: [...best.added],
    seen: { before: countIn(before, seen), after: countIn(best.text, seen) },
    held_out: { before: countIn(before, heldOut), after: countIn(best.text, heldOut) },
  };
}

/** The description with the phrases of users at its end, as a person would write them. */
function withPhrases(description: string, phrases: readonly string[]): string {
  const text = description.trim();
  const end = /[.!?。！？]$/.test(text) ? '' : '.';
  const list = phrases.length === 1 ? phrases[0] : `${phrases.slice(0, -1).join(', ')} or ${phrases.at(-1)}`;
  return `${text}${end} Also use for ${list}.`;
}

/** Runs of telling words in the requests that are lost, those of most requests first. */
function phrasesOf(lost: readonly TriggerQuery[]): string[] {
  const counts = new Map<string, number>();
  for (const { query } of lost)
    for (const phrase of new Set(tellingRuns(query))) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || b.split(' ').length - a.split(' ').length)
    .slice(0, MAX_PHRASES)
    .map(([phrase]) => phrase);
}

/** Phrases of up to three words without function words and common words, and each of those words. */
function tellingRuns(text: string): string[] {
  const runs: string[][] = [[]];
  scannerFor('porter')(text, ({ words }, start, end) => {
    for (const { term, stop, grams } of words) {
      const isTelling = !stop && !stopWords.has(term) && !isCommonTerm(term) && [...term].length > 1;
      if (!isTelling || runs.at(-1)!.length === MAX_PHRASE_WORDS) runs.push([]);
      if (isTelling) runs.at(-1)!.push(grams.length > 0 ? term : text.slice(start, end).toLowerCase());
    }
  });
  return runs
    .filter(({ length }) => length > 0)
    .flatMap((run) => [run.join(' '), ...(run.length > 1 ? run : [])]);
}
