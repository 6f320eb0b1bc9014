// Searches the skills that one domain publishes.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Fetcher } from './fetcher.ts';
import { matchesQuery } from './rank-candidates.ts';
import { readWellKnown } from './read-well-known.ts';
import type { TrawlCandidate } from './trawl-result.ts';

/** Matches at a domain, and a remark about entries that were left out. */
export interface DomainFindings {
  readonly candidates: readonly TrawlCandidate[];
  readonly remark?: string | undefined;
}

/** The skills of a domain that match a query. A domain without skills still counts as answered. */
export async function trawlDomain(
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
