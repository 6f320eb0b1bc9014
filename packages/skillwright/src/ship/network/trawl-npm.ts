// Searches npm for packages that declare skills.

import * as z from 'zod';
import type { Fetcher } from './fetcher.ts';
import type { TrawlCandidate } from './trawl-result.ts';

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
export async function trawlNpm(
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
