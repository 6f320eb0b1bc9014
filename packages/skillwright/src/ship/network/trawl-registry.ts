// Searches the registry.

import { parseAddress } from '../protocol/index.ts';
import type { RegistryClient } from './registry-client.ts';
import { spellRegistrySource } from './registry-source.ts';
import type { TrawlCandidate } from './trawl-result.ts';

/** Matches in the registry. */
export async function trawlRegistry(
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
