// Searching the registry.

import type { RegistryClient } from './registry-client.ts';
import type { TrawlCandidate } from './trawl-result.ts';

/** What the registry has for a query. */
export async function trawlRegistry(
  query: string,
  client: RegistryClient,
  options: { signal: AbortSignal; limit: number },
): Promise<TrawlCandidate[]> {
  const { skills } = await client.search(query, options);
  return skills.map((skill) => ({
    name: skill.name,
    description: skill.description,
    from: 'registry',
    source: skill.name,
    url: new URL(`skills/${skill.name}`, client.url).href,
    repository: skill.repository ?? undefined,
    tags: skill.tags,
    downloads: skill.downloads,
    level: skill.level,
    rating: skill.rating ?? undefined,
    deprecated: skill.deprecated ?? undefined,
  }));
}
