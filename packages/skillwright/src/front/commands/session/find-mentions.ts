// skills.mentions: find the skills a message names.

import * as z from 'zod';
import { wireSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { Message, SkillMetadata } from './wire-shapes.ts';

/** Finds mentions. */
export const findMentions = defineOperation({
  input: z.strictObject({ text: Message }),
  output: z.strictObject({
    mentions: z.array(
      z.strictObject({
        text: z.string().describe('The mention as written'),
        start: z.int().describe('Offset in the message, in UTF-16 code units'),
        end: z.int(),
        name: z.string(),
        skill: SkillMetadata.nullable().describe(
          'Null when the name is ambiguous or the skill may not be used',
        ),
        problem: z.enum(['ambiguous', 'denied', 'model-only', 'unavailable', 'not-in-catalog']).nullable(),
        candidates: z.array(z.string()).describe('Paths of the skills when the name is ambiguous'),
      }),
    ),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run({ text }, connection) {
    const mentions = await (await connection.session()).mentions(text);
    return {
      mentions: mentions.map(({ skill, ...rest }) => ({
        ...rest,
        skill: skill === null ? null : wireSkill(skill),
      })),
    };
  },
});
