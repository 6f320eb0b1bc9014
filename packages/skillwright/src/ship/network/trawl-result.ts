// Results of a trawl: their shape, and merging those of several sources.

import { compareBytes } from '../../base/files/index.ts';
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
