// What a search of the network finds, and how each place that was asked answered.

import type { RegistryLevel } from './registry-protocol.ts';

/** The kinds of places that are searched. */
export const trawlSources = ['registry', 'github', 'npm', 'well-known'] as const;
/** A kind of place. */
export type TrawlSource = (typeof trawlSources)[number];

/** Something found, before it is judged. */
export interface TrawlCandidate {
  readonly name: string;
  readonly description: string;
  readonly from: TrawlSource;
  /** What `skc install` takes. */
  readonly source: string;
  /** The skill to choose there, where the source holds several. */
  readonly skill?: string | undefined;
  /** A page for people. */
  readonly url?: string | undefined;
  /** Web address of the repository it is made in. */
  readonly repository?: string | undefined;
  /** `sha256:…` of its content, where the place says so. */
  readonly digest?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly stars?: number | undefined;
  /** How often it was downloaded, for as long as the place counts. */
  readonly downloads?: number | undefined;
  readonly level?: RegistryLevel | undefined;
  readonly rating?: number | undefined;
  /** Why it should not be used any more. */
  readonly deprecated?: string | undefined;
}

/** Something found, with its rank. */
export interface TrawlResult extends TrawlCandidate {
  /** 0 to 1. */
  readonly score: number;
  /** What the score is made of, strongest first. */
  readonly reasons: readonly string[];
  /** The same thing under other names: sources of what was merged into this. */
  readonly also: readonly string[];
}

/** How one place answered. `failed`: it answered with something else than results. */
export interface TrawlStatus {
  readonly source: TrawlSource;
  /** The domain, for a domain. */
  readonly domain?: string | undefined;
  readonly status: 'ok' | 'unreachable' | 'skipped' | 'failed';
  /** Why it is not ok, or what else is to be said. */
  readonly reason?: string | undefined;
  readonly count: number;
  readonly ms: number;
}
