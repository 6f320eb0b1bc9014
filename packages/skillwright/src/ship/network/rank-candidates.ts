// Scores how well a candidate fits a query, from 0 to 1, with reasons.

import { compareBytes } from '../../base/files/index.ts';
import { scannerFor } from '../../base/words/index.ts';
import type { RegistryLevel } from '../protocol/index.ts';

/** Kinds of sources to search. */
export const trawlSources = ['registry', 'github', 'npm', 'well-known'] as const;
/** A kind of source. */
export type TrawlSource = (typeof trawlSources)[number];

/** A match before it is ranked. */
export interface TrawlCandidate {
  readonly name: string;
  readonly description: string;
  readonly from: TrawlSource;
  /** Source for `skc install`. */
  readonly source: string;
  /** The skill to pick when the source holds several. */
  readonly skill?: string | undefined;
  /** Web page of the skill. */
  readonly url?: string | undefined;
  /** Web address of its repository. */
  readonly repository?: string | undefined;
  /** `sha256:…` of its content, if the source provides it. */
  readonly digest?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly stars?: number | undefined;
  /** Number of downloads, over the period the source counts. */
  readonly downloads?: number | undefined;
  readonly level?: RegistryLevel | undefined;
  readonly rating?: number | undefined;
  /** Why it should not be used any more. */
  readonly deprecated?: string | undefined;
}

/** A match with its score. */
export interface TrawlResult extends TrawlCandidate {
  /** 0 to 1. */
  readonly score: number;
  /** Reasons for the score, strongest first. */
  readonly reasons: readonly string[];
  /** Sources of the results that were merged into this one. */
  readonly also: readonly string[];
}

/** Status of one source. `failed`: its response was not a list of results. */
export interface TrawlStatus {
  readonly source: TrawlSource;
  /** Set when the source is a domain. */
  readonly domain?: string | undefined;
  readonly status: 'ok' | 'unreachable' | 'skipped' | 'failed';
  /** Why it is not ok, or a remark. */
  readonly reason?: string | undefined;
  readonly count: number;
  readonly ms: number;
}

/** Merges results of the same origin, best first. `also` names the merged ones. */
export function mergeResults(results: readonly TrawlResult[]): TrawlResult[] {
  const ordered = [...results].sort(compareResults);
  const kept: TrawlResult[] = [];
  const owner = new Map<string, number>();
  // Single skills first, so that a repository can be merged into the skill it contains.
  for (const result of [...ordered.filter(isOneSkill), ...ordered.filter((each) => !isOneSkill(each))]) {
    const keys = keysOf(result);
    const at = keys.map((key) => owner.get(key)).find((index) => index !== undefined);
    const index = at ?? kept.push(result) - 1;
    if (at !== undefined) kept[at] = join(kept[at]!, result);
    const repository = repositoryKey(result);
    for (const key of [...keys, ...(repository === undefined ? [] : [repository])])
      if (!owner.has(key)) owner.set(key, index);
  }
  return kept.sort(compareResults);
}

/** Best first; ties are ordered independently of response times. */
function compareResults(a: TrawlResult, b: TrawlResult): number {
  return b.score - a.score || compareBytes(a.name, b.name) || compareBytes(a.source, b.source);
}

function join(a: TrawlResult, b: TrawlResult): TrawlResult {
  const also = [...new Set([...a.also, b.source, ...b.also])].filter((source) => source !== a.source);
  return { ...a, score: Math.max(a.score, b.score), also };
}

/** False for a repository or package, which may hold several skills. */
function isOneSkill({ from, skill }: TrawlResult): boolean {
  return from === 'registry' || from === 'well-known' || skill !== undefined;
}

/** Keys that identify a result. Results with a common key are the same. */
function keysOf(result: TrawlResult): string[] {
  const repository = repositoryKey(result);
  const name = result.skill ?? result.name;
  return [
    `source ${result.from} ${result.source} ${result.skill ?? ''}`,
    ...(result.digest === undefined ? [] : [result.digest]),
    ...(repository === undefined ? [] : [isOneSkill(result) ? `${repository} ${name}` : repository]),
  ];
}

function repositoryKey({ repository }: TrawlResult): string | undefined {
  const plain = repository?.replace(/^git\+/, '').replace(/^git@([^:/]+):/, 'https://$1/');
  if (plain === undefined || !URL.canParse(plain)) return undefined;
  const { hostname, pathname } = new URL(plain);
  const [owner, name] = pathname.split('/').filter(Boolean);
  if (owner === undefined || name === undefined) return undefined;
  return `repository ${hostname}/${owner}/${name.replace(/\.git$/, '')}`.toLowerCase();
}

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
