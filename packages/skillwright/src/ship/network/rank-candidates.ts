// Scores how well a candidate fits a query, from 0 to 1, with reasons.

import { scannerFor } from '../../base/words/index.ts';
import type { TrawlCandidate, TrawlResult } from './trawl-result.ts';

/** A part of the score. */
interface Part {
  readonly value: number;
  readonly reason: string;
}

/** The words of a text by their stems, as the text spells each first. */
function wordsOf(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  scannerFor('porter')(text, (analysis, start, end) => {
    for (const { term } of analysis.words)
      if (!words.has(term)) words.set(term, analysis.words.length === 1 ? text.slice(start, end) : term);
  });
  return words;
}

/** The candidate with its score. */
export function rankCandidate(query: string, candidate: TrawlCandidate): TrawlResult {
  const parts = [...matchParts(query, candidate), ...standingParts(candidate)].sort(
    (a, b) => Math.abs(b.value) - Math.abs(a.value),
  );
  const sum = parts.reduce((total, { value }) => total + value, 0);
  return {
    ...candidate,
    score: Math.round(Math.min(1, Math.max(0, sum)) * 1000) / 1000,
    reasons: parts.map(({ reason }) => reason),
    also: [],
  };
}

/** Whether the name, description or tags contain a word of the query. */
export function matchesQuery(query: string, candidate: TrawlCandidate): boolean {
  return matchParts(query, candidate).length > 0;
}

function matchParts(query: string, { name, description, tags = [], from }: TrawlCandidate): Part[] {
  const asked = wordsOf(query);
  if (asked.size === 0) return [];
  const parts: Part[] = [];
  const found = (text: string) => {
    const words = wordsOf(text);
    return [...asked].flatMap(([term, word]) => (words.has(term) ? [word.toLowerCase()] : []));
  };
  const share = (words: readonly string[]) => words.length / asked.size;
  const [inName, inText, inTags] = [found(name), found(description), found(tags.join(' '))];
  const whole = [...asked.keys()].join(' ');
  // A skill of a registry is asked for by its name, with its owner or without.
  const names = from === 'registry' ? [name, name.replace(/^@[^/]+\//, '')] : [name];
  if (names.some((one) => [...wordsOf(one).keys()].join(' ') === whole))
    parts.push({ value: 0.5, reason: 'the name matches the query' });
  else if (inName.length > 0)
    parts.push({ value: 0.35 * share(inName), reason: `the name contains ${inName.join(', ')}` });
  if (inText.length > 0)
    parts.push({ value: 0.25 * share(inText), reason: `the description contains ${inText.join(', ')}` });
  if (inTags.length > 0) parts.push({ value: 0.05 * share(inTags), reason: `tagged ${inTags.join(', ')}` });
  return parts;
}

function standingParts(candidate: TrawlCandidate): Part[] {
  const { stars, downloads, level, rating, digest, deprecated } = candidate;
  const parts: Part[] = [];
  const popular = (count: number, what: string) => {
    const value = Math.min(1, Math.log10(1 + count) / 5) * 0.1;
    parts.push({ value, reason: `${count.toLocaleString('en-US')} ${what}` });
  };
  if (level === 'official') parts.push({ value: 0.1, reason: 'official by the registry' });
  if (level === 'verified') parts.push({ value: 0.07, reason: 'verified by the registry' });
  if (stars !== undefined && stars > 0) popular(stars, stars === 1 ? 'star' : 'stars');
  if (downloads !== undefined && downloads > 0)
    popular(downloads, downloads === 1 ? 'download' : 'downloads');
  if (rating !== undefined && rating >= 3.5)
    parts.push({ value: 0.03, reason: `rated ${rating.toFixed(1)}` });
  if (digest !== undefined) parts.push({ value: 0.02, reason: 'has a digest' });
  if (deprecated !== undefined) parts.push({ value: -0.4, reason: `deprecated: ${deprecated}` });
  return parts;
}
