// Search.

import * as z from 'zod';
import { SkillSummary } from './skill-index.ts';
import { Count, OwnerName, RegistryLevel } from './values.ts';

/** Results on one page of a search. */
const MAX_PAGE_SIZE = 100;

/** Query of a search. Without `q` it lists skills. */
export const SearchQuery = z.object({
  q: z.string().max(500).default(''),
  owner: OwnerName.optional(),
  tag: z.string().max(100).optional(),
  category: z.string().max(100).optional(),
  level: RegistryLevel.optional(),
  sort: z.enum(['relevance', 'updated', 'downloads', 'rating', 'name']).default('relevance'),
  cursor: z.string().max(500).optional().describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(20),
});
export type SearchQuery = z.output<typeof SearchQuery>;

/** One result, with the reason it was found. */
export const SearchHit = SkillSummary.extend({
  score: z.number(),
  reason: z.enum(['exact_name', 'prefix', 'text', 'listed']),
});
export type SearchHit = z.output<typeof SearchHit>;

/** One page of results, best first. */
export const SearchPage = z.object({
  total: Count.describe('Results the caller may see; counted to 1,000'),
  isTotalExact: z.boolean(),
  skills: z.array(SearchHit),
  next: z.string().nullable().describe('Cursor of the next page'),
});
export type SearchPage = z.output<typeof SearchPage>;

/** A search for a few skills, in few words. */
export const FindQuery = SearchQuery.extend({
  q: SearchQuery.shape.q.unwrap().refine((q) => q.trim() !== '', 'name what to look for'),
  limit: z.coerce.number().int().min(1).max(100).default(8),
});

/** Found skills. */
export const FoundSkills = z.object({
  query: z.string(),
  results: z.array(
    z.object({
      skill: z.string(),
      description: z.string(),
      version: z.string().nullable(),
      level: z.string(),
      score: z.number(),
      reason: z.string(),
    }),
  ),
  total: z.number().int(),
  truncated: z.boolean(),
});
export type FoundSkills = z.output<typeof FoundSkills>;
