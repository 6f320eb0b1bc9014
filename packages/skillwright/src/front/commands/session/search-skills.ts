// skills.search: search the skills of a session.

import * as z from 'zod';
import { wireSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { SkillMetadata, SkillScope } from './wire-shapes.ts';

/** Finds skills for a model. */
export const searchSkills = defineOperation({
  input: z.strictObject({
    query: z.string(),
    limit: z
      .int()
      .positive()
      .optional()
      .describe(
        'Maximum number of results; search.default_limit and search.max_limit set the default and the upper limit',
      ),
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
    count: z.int().describe('Number of results returned'),
    truncated: z.boolean().describe('Whether more skills match'),
    incomplete: z.boolean().describe('Whether a limit cut discovery short, so that skills may be missing'),
    corrected: z
      .string()
      .optional()
      .describe('The query that was searched instead, when no skill contains the words of yours'),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  async run({ query, limit, scope }, connection) {
    const session = await connection.session();
    const answer = await session.search({ query, scope, limit });
    const results = answer.results.map(({ skill, ...hit }) => ({ ...hit, skill: wireSkill(skill) }));
    return { ...answer, results };
  },
});
