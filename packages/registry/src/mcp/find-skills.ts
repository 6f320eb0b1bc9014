// Finds skills for people, scripts and models that read without installing.

import type { SearchQuery } from 'skillwright/registry-protocol';
import * as z from 'zod';
import type { Caller } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { searchSkills } from '../search/index.ts';

/** Characters of a description in a text. */
const MAX_DESCRIPTION = 300;

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

/** The best skills the caller may see. */
export async function findSkills(
  registry: Registry,
  caller: Caller,
  query: SearchQuery,
): Promise<FoundSkills> {
  const { skills, total, next } = await searchSkills(registry, caller, query);
  return {
    query: query.q,
    results: skills.map(({ name, description, latest, level, score, reason }) => ({
      skill: name,
      description,
      version: latest,
      level,
      score,
      reason,
    })),
    total,
    truncated: next !== null,
  };
}

/** The same as text. */
export function renderFound({ query, results, total, truncated }: FoundSkills): string {
  if (results.length === 0) return `no skill matches ${JSON.stringify(query)}\n`;
  const blocks = results.map(({ skill, description, version, level }) => {
    const line = description.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
    const short = line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1)}…`;
    return `${skill}  ${version ?? 'no release'}, ${level}\n  ${short}`;
  });
  const more = truncated
    ? [`${total - results.length} more skills match; raise the limit or use more precise words`]
    : [];
  return `${[...blocks, ...more].join('\n')}\n`;
}
