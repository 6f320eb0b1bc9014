// Results of a network search, and the status of each source.

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
