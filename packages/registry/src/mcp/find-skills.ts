// Finds skills for people, scripts and models that read without installing.

import { describeTool, type ServedTool } from 'skillwright/mcp';
import { type FoundSkills, OwnerName, type SearchQuery } from 'skillwright/registry-protocol';
import * as z from 'zod';
import type { Caller } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { searchSkills } from '../search/index.ts';

/** Characters of a description in a text. */
const MAX_DESCRIPTION = 300;

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

/** Found skills as text. */
export function renderFound({ query, results, total, truncated }: FoundSkills): string {
  if (results.length === 0) return `no skill matches ${JSON.stringify(query)}\n`;
  const blocks = results.map(({ skill, description, version, level }) => {
    const line = description.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
    const short = line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1)}…`;
    return `${skill}  ${version ?? 'no release'}, ${level}\n  ${short}`;
  });
  const more = truncated
    ? [`${total - results.length} more skills match; raise the limit or add a word`]
    : [];
  return `${[...blocks, ...more].join('\n')}\n`;
}

const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 50;

/** Input of the tool. */
export const FindInput = z.strictObject({
  query: z.union([z.string(), z.array(z.string()).min(1)]).describe('What the skill should do, or its name'),
  limit: z.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe('At most this many results'),
  owner: OwnerName.optional().describe('Only skills of this owner, without `@`'),
  tag: z.string().max(100).optional().describe('Only skills with this tag'),
});

/** The tool, for the list of tools. */
export const findTool: ServedTool = {
  commandName: 'find',
  ...describeTool(
    {
      input: FindInput,
      fields: {
        query: { type: 'string', list: true, about: '' },
        limit: { type: 'integer', about: '' },
        owner: { type: 'string', about: '' },
        tag: { type: 'string', about: '' },
      },
      output: z.object({
        query: z.string(),
        results: z.array(z.object({ skill: z.string() })),
        total: z.number().int(),
        truncated: z.boolean(),
      }),
      positionals: ['query'],
      effect: 'read',
      writes: [],
      touches: { skills: 'list' },
      run: () => {
        throw new Error('the server answers this tool itself');
      },
      text: (found: FoundSkills) => renderFound(found),
    },
    { rest: 'pass a lower limit' },
    { name: 'skc_find', summary: 'Find skills of this registry by purpose' },
  ),
};
