// Searching the skills of a session.

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
      .describe('Default and most as configured: search.default_limit and search.max_limit'),
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
    count: z.int().describe('Results given here'),
    truncated: z.boolean().describe('Whether more skills match'),
    incomplete: z.boolean().describe('Whether a bound cut discovery short, so that skills may be missing'),
    corrected: z
      .string()
      .optional()
      .describe('Present when no skill has the words of the query: what was searched for instead'),
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
