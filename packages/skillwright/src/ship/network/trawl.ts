// Searches the network for skills: all sources at once, each with its own result or failure.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { type Diagnostic, hideSecretsIn, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import { openWorkspace, type Workspace } from '../../skill/workspace/index.ts';
import { parseAddress } from '../protocol/index.ts';
import { checkNewest } from './check-log.ts';
import { createFetcher, fetcherSettings } from './create-fetcher.ts';
import type { Fetcher } from './fetcher.ts';
import { startDeadline } from './open-answer.ts';
import { type OpenRegistry, openRegistry } from './open-registry.ts';
import {
  matchesQuery,
  mergeResults,
  rankCandidate,
  type TrawlCandidate,
  type TrawlResult,
  type TrawlSource,
  type TrawlStatus,
  trawlSources,
} from './rank-candidates.ts';
import { readWellKnown } from './read-well-known.ts';
import type { RegistryClient } from './registry-client.ts';
import { confirmingCommand } from './registry-of.ts';
import { spellRegistrySource } from './registry-source.ts';
import { trawlGithub } from './trawl-github.ts';

const SOURCE_TIME = 10_000;
const DOMAIN_TIME = 5_000;
const MAX_DOMAINS = 100;
const DOMAINS_AT_ONCE = 16;
/** Results to request from one source. */
const ASKED = 30;

/** Where to search. */
export interface TrawlOptions {
  /** All kinds when left out. */
  readonly sources?: readonly TrawlSource[];
  /** Domains that may publish skills, besides those in `network.domains`. */
  readonly domains?: readonly string[];
  /** Default: 20. */
  readonly maxResults?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when a source has answered or failed. */
  onStatus?(status: TrawlStatus): void;
  /** Called with what the user should know about the log of the registry. */
  onRemark?(remark: Diagnostic): void;
  /** Its configuration names the registry and the limits of requests. Default: the user's configuration alone. */
  readonly workspace?: Workspace | undefined;
}

/** Options for asking the sources. */
export interface SourceOptions extends Omit<TrawlOptions, 'workspace'> {
  readonly fetcher: Fetcher;
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
  /** Time limit for a source or a domain, in milliseconds. */
  readonly limits?: { readonly source?: number; readonly domain?: number };
}

/** The results, best first. */
export interface Trawled extends ReadonlyArray<TrawlResult> {
  /** Number of results before the limit. */
  readonly total: number;
  /** One per source, then per domain, in the given order. */
  readonly statuses: readonly TrawlStatus[];
}

/**
 * Searches the network for skills. A source that fails does not fail the search: see the statuses. E004 for an empty
 * query.
 */
export async function trawl(query: string, options: TrawlOptions = {}): Promise<Trawled> {
  const workspace = options.workspace ?? (await openUsersWorkspace());
  const { network } = await workspace.config();
  const { env } = workspace;
  const fetcher = createFetcher(fetcherSettings(network));
  const isAsked = options.sources?.includes('registry') ?? true;
  const registry = isAsked ? await openRegistry(workspace, { fetcher }) : undefined;
  const withheld =
    registry === undefined || registry.isConfirmed
      ? await whyNotAsked(registry, workspace, options)
      : `the project names ${registry.client.url}; to use it: ${await confirmingCommand({ url: registry.url }, workspace)}`;
  return askSources(query, {
    ...options,
    fetcher,
    domains: [...(options.domains ?? []), ...network.domains],
    registry: withheld === undefined ? registry : undefined,
    registryWithheld: withheld,
    githubUrl: network.github_url,
    githubToken: env.GITHUB_TOKEN || env.GH_TOKEN || undefined,
    npmUrl: network.npm_url,
  });
}

/** Why a registry is not searched whose log does not hold. */
async function whyNotAsked(
  registry: OpenRegistry | undefined,
  workspace: Workspace,
  { signal = new AbortController().signal, onRemark }: TrawlOptions,
): Promise<string | undefined> {
  if (registry === undefined) return undefined;
  try {
    for (const remark of await checkNewest(registry, { workspace, signal })) onRemark?.(remark);
    return undefined;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    // One that cannot be reached says so when it is searched.
    return /^E2(?:3[0-3]|42)$/.test(error.code) ? `${error.code}: ${error.message}` : undefined;
  }
}

function openUsersWorkspace(): Promise<Workspace> {
  const { env } = process;
  const home = resolve(readVariable(env, 'HOME') ?? homedir());
  return openWorkspace({ cwd: home, home, env });
}

/** Asks the sources. */
export async function askSources(query: string, options: SourceOptions): Promise<Trawled> {
  const words = query.trim();
  if (words === '') throw SkillwrightError.of('E004', {});
  const wanted = trawlSources.filter((source) => options.sources?.includes(source) ?? true);
  const asked = await Promise.all(wanted.map((source) => askSource(source, words, options)));
  const answers = asked.flat();
  const ranked = answers.flatMap(({ candidates }) =>
    candidates.map((candidate) => rankCandidate(words, hideSecretsIn(candidate))),
  );
  const merged = mergeResults(ranked);
  return Object.assign(merged.slice(0, options.maxResults ?? 20), {
    total: merged.length,
    statuses: answers.map(({ status }) => status),
  });
}

interface Outcome {
  readonly status: TrawlStatus;
  readonly candidates: readonly TrawlCandidate[];
}

async function askSource(source: TrawlSource, query: string, options: SourceOptions): Promise<Outcome[]> {
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
  { options, limit }: { options: SourceOptions; limit: number },
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

// Searches the registry.

/** Matches in the registry. */
async function trawlRegistry(
  query: string,
  client: RegistryClient,
  options: { signal: AbortSignal; limit: number; isUsers: boolean },
): Promise<TrawlCandidate[]> {
  const { signal, limit, isUsers } = options;
  const { skills } = await client.search({ q: query, limit }, { signal });
  return skills.map((skill) => ({
    name: skill.name,
    description: skill.description,
    from: 'registry',
    source: spellRegistrySource({ url: client.url, ...parseAddress(skill.name)! }),
    url: new URL(skill.name, client.url).href,
    tags: skill.tags,
    deprecated: skill.deprecated ?? undefined,
    // Claims of a registry that only a project names do not count.
    ...(isUsers
      ? {
          repository: skill.repository ?? undefined,
          downloads: skill.downloads,
          level: skill.level,
          rating: skill.rating?.mean,
        }
      : {}),
  }));
}

// Searches the skills that one domain publishes.

/** Matches at a domain, and a remark about entries that were left out. */
interface DomainFindings {
  readonly candidates: readonly TrawlCandidate[];
  readonly remark?: string | undefined;
}

/** The skills of a domain that match a query. A domain without skills still counts as answered. */
async function trawlDomain(
  query: string,
  domain: string,
  options: { fetcher: Fetcher; signal: AbortSignal },
): Promise<DomainFindings> {
  try {
    const { skills, diagnostics } = await readWellKnown(domain, options.fetcher, { signal: options.signal });
    const candidates = skills.map((skill) => ({
      name: skill.name,
      description: skill.description,
      from: 'well-known' as const,
      source: domain,
      skill: skill.name,
      url: skill.url,
      digest: skill.type === 'files' ? undefined : skill.digest,
    }));
    const [first] = diagnostics;
    const more = diagnostics.length > 1 ? ` (and ${diagnostics.length - 1} more)` : '';
    return {
      candidates: candidates.filter((candidate) => matchesQuery(query, candidate)),
      remark: first === undefined ? undefined : `${first.message}${more}`,
    };
  } catch (error) {
    if (error instanceof SkillwrightError && error.code === 'E201')
      return { candidates: [], remark: 'publishes no skills' };
    throw error;
  }
}

// Searches npm for packages that declare skills.

const KEYWORDS = 'agent-skill,agent-skills';

const Package = z.object({
  package: z.object({
    name: z.string(),
    description: z.string().nullish(),
    keywords: z.array(z.string()).nullish().catch(undefined),
    links: z.object({ npm: z.string().nullish(), repository: z.string().nullish() }).nullish(),
  }),
  downloads: z.object({ monthly: z.number().nullish() }).nullish().catch(undefined),
});
const Answer = z.object({ objects: z.array(z.unknown()) });

/** Packages that match a query. Malformed entries are left out. */
async function trawlNpm(
  query: string,
  fetcher: Fetcher,
  options: { url: string; signal: AbortSignal; limit: number },
): Promise<TrawlCandidate[]> {
  const { url, signal, limit } = options;
  const target = new URL('-/v1/search', url.endsWith('/') ? url : `${url}/`);
  target.search = new URLSearchParams({
    text: `${query} keywords:${KEYWORDS}`,
    size: String(limit),
  }).toString();
  const { value } = await fetcher.getJson(target, Answer, { signal });
  return value.objects.flatMap((entry) => {
    const read = Package.safeParse(entry);
    if (!read.success) return [];
    const { package: found, downloads } = read.data;
    if (!/^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/.test(found.name)) return [];
    return [
      {
        name: found.name,
        description: found.description ?? '',
        from: 'npm' as const,
        source: `npm:${found.name}`,
        url: found.links?.npm ?? undefined,
        repository: found.links?.repository ?? undefined,
        tags: found.keywords ?? undefined,
        downloads: downloads?.monthly ?? undefined,
      },
    ];
  });
}
