// Searching the skills of a session.

import * as z from 'zod';
import { wireSkill } from '../../../host/runtime/index.ts';
import { DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT } from '../../../read/catalog/index.ts';
import { defineOperation } from '../define-command.ts';
import { SkillMetadata, SkillScope } from './wire-shapes.ts';

/** Finds skills for a model. */
export const searchSkills = defineOperation({
  input: z.strictObject({
    query: z.string(),
    limit: z
      .int()
      .positive()
      .default(DEFAULT_SEARCH_LIMIT)
      .describe(`More than ${MAX_SEARCH_LIMIT} means ${MAX_SEARCH_LIMIT}`),
    scope: SkillScope.optional(),
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        skill: SkillMetadata,
        score: z.number(),
        reason: z.enum(['exact_name', 'exact_path', 'prefix', 'token_overlap']),
      }),
    ),
    count: z.int(),
    truncated: z.boolean().describe('Whether there may be more'),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  async run({ query, limit, scope }, connection) {
    const session = await connection.session();
    const wanted = Math.min(limit, MAX_SEARCH_LIMIT);
    const found = await session.search({ query, scope, limit: wanted + 1 });
    const results = found
      .slice(0, wanted)
      .map(({ skill, score, reason }) => ({ skill: wireSkill(skill), score, reason }));
    // The most that can be asked for leaves no room for one more that would tell.
    const truncated = found.length > wanted || found.length === MAX_SEARCH_LIMIT;
    return { results, count: results.length, truncated };
  },
});
