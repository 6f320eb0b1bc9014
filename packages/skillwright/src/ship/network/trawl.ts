// Searches the network for skills: all sources at once, each with its own result or failure.

import { hideSecretsIn, SkillwrightError } from '../../base/diagnostics/index.ts';
import { startDeadline } from './deadline.ts';
import type { Fetcher } from './fetcher.ts';
import { mergeResults } from './merge-results.ts';
import { rankCandidate } from './rank-candidates.ts';
import type { RegistryClient } from './registry-client.ts';
import { type DomainFindings, trawlDomain } from './trawl-domain.ts';
import { trawlGithub } from './trawl-github.ts';
import { trawlNpm } from './trawl-npm.ts';
import { trawlRegistry } from './trawl-registry.ts';
import {
  type TrawlCandidate,
  type TrawlResult,
  type TrawlSource,
  type TrawlStatus,
  trawlSources,
} from './trawl-result.ts';

const SOURCE_TIME = 10_000;
const DOMAIN_TIME = 5_000;
const MAX_DOMAINS = 100;
const DOMAINS_AT_ONCE = 16;
/** Results to request from one source. */
const ASKED = 30;

/** Where to search, and how. */
export interface TrawlOptions {
  readonly fetcher: Fetcher;
  /** All kinds when left out. */
  readonly sources?: readonly TrawlSource[];
  readonly domains?: readonly string[];
  readonly maxResults?: number;
  /** If left out, the registry is skipped. */
  readonly registry?:
    | {
        readonly client: RegistryClient;
        /** Whether the user chose it. */
        readonly isUsers: boolean;
      }
    | undefined;
  /** Why a configured registry is skipped. */
  readonly registryWithheld?: string | undefined;
  readonly githubUrl: string;
  readonly githubToken?: string | undefined;
  readonly npmUrl: string;
  readonly signal?: AbortSignal;
  /** Time limit for a source or a domain, in milliseconds. */
  readonly limits?: { readonly source?: number; readonly domain?: number };
  /** Called when a source has answered or failed. */
  onStatus?(status: TrawlStatus): void;
}

/** Result of a search. */
export interface Trawled {
  /** Best first. */
  readonly results: readonly TrawlResult[];
  /** Number of results before the limit. */
  readonly total: number;
  /** One per source, then per domain, in the given order. */
  readonly statuses: readonly TrawlStatus[];
}

/** Searches. A source that fails does not fail the search: see the statuses. E004 for an empty query. */
export async function trawl(query: string, options: TrawlOptions): Promise<Trawled> {
  const words = query.trim();
  if (words === '') throw SkillwrightError.of('E004', {});
  const wanted = trawlSources.filter((source) => options.sources?.includes(source) ?? true);
  const asked = await Promise.all(wanted.map((source) => askSource(source, words, options)));
  const answers = asked.flat();
  const ranked = answers.flatMap(({ candidates }) =>
    candidates.map((candidate) => rankCandidate(words, hideSecretsIn(candidate))),
  );
  const merged = mergeResults(ranked);
  return {
    results: merged.slice(0, options.maxResults ?? 20),
    total: merged.length,
    statuses: answers.map(({ status }) => status),
  };
}

interface Outcome {
  readonly status: TrawlStatus;
  readonly candidates: readonly TrawlCandidate[];
}

async function askSource(source: TrawlSource, query: string, options: TrawlOptions): Promise<Outcome[]> {
  const { fetcher, registry, githubUrl, githubToken, npmUrl, limits } = options;
  const skip = (reason: string): Outcome[] => {
    const status: TrawlStatus = { source, status: 'skipped', reason, count: 0, ms: 0 };
    options.onStatus?.(status);
    return [{ status, candidates: [] }];
  };
  const one = async (work: (signal: AbortSignal) => Promise<readonly TrawlCandidate[]>) => [
    await askInTime({ source }, { options, limit: limits?.source ?? SOURCE_TIME }, async (signal) => ({
      candidates: await work(signal),
    })),
  ];
  switch (source) {
    case 'registry':
      if (registry === undefined)
        return skip(options.registryWithheld ?? 'no registry is configured (registry.url)');
      return one((signal) =>
        trawlRegistry(query, registry.client, { signal, limit: ASKED, isUsers: registry.isUsers }),
      );
    case 'github':
      return one((signal) =>
        trawlGithub(query, fetcher, { url: githubUrl, token: githubToken, signal, limit: ASKED }),
      );
    case 'npm':
      return one((signal) => trawlNpm(query, fetcher, { url: npmUrl, signal, limit: ASKED }));
    case 'well-known': {
      const domains = [...new Set(options.domains ?? [])];
      if (domains.length === 0) return skip('no domains were named (--domain, network.domains)');
      const limit = limits?.domain ?? DOMAIN_TIME;
      const outcomes = await inTurns(domains.slice(0, MAX_DOMAINS), (domain) =>
        askInTime({ source, domain }, { options, limit }, (signal) =>
          trawlDomain(query, domain, { fetcher, signal }),
        ),
      );
      const rest = domains.length - outcomes.length;
      return rest === 0 ? outcomes : [...outcomes, ...skip(`${rest} more domains were not searched`)];
    }
  }
}

/** Runs a few at once, in the given order. */
async function inTurns<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) values[index] = await work(item);
  };
  await Promise.all(Array.from({ length: DOMAINS_AT_ONCE }, worker));
  return values;
}

async function askInTime(
  place: Pick<TrawlStatus, 'source' | 'domain'>,
  { options, limit }: { options: TrawlOptions; limit: number },
  work: (signal: AbortSignal) => Promise<DomainFindings>,
): Promise<Outcome> {
  const started = performance.now();
  const deadline = startDeadline(limit, limit, { outer: options.signal });
  const finish = (
    status: Omit<TrawlStatus, 'source' | 'domain' | 'ms' | 'count'>,
    candidates: readonly TrawlCandidate[] = [],
  ): Outcome => {
    const ms = Math.round(performance.now() - started);
    const whole: TrawlStatus = { ...place, ...status, count: candidates.length, ms };
    options.onStatus?.(whole);
    return { status: whole, candidates };
  };
  try {
    const { candidates, remark } = await deadline.race(work(deadline.signal));
    return finish({ status: 'ok', reason: remark }, candidates);
  } catch (error) {
    if (deadline.why !== undefined) return finish({ status: 'unreachable', reason: deadline.why });
    if (!(error instanceof SkillwrightError)) throw error;
    const reason = reasonFor(error);
    return finish({ status: error.code === 'E200' ? 'unreachable' : 'failed', reason });
  } finally {
    deadline.stop();
  }
}

/** A short reason for a failure, without the address. */
function reasonFor({ code, message, help, data }: SkillwrightError): string {
  if (code === 'E209') return help === undefined ? 'rate limited' : `rate limited; ${help}`;
  if (typeof data?.why === 'string') return code === 'E206' ? `address refused: ${data.why}` : data.why;
  const words: Readonly<Record<string, string>> = {
    E201: 'has no search at this address',
    E202: 'asks for credentials or refuses them',
    E207: 'the response is too large',
  };
  return words[code] ?? message;
}
