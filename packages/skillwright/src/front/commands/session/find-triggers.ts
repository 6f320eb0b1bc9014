// skills.triggers: suggest skills for a message.

import * as z from 'zod';
import { wireSkill } from '../../../host/runtime/index.ts';
import { defineOperation } from '../define-command.ts';
import { Message, SkillMetadata } from './wire-shapes.ts';

/** Suggests skills. */
export const findTriggers = defineOperation({
  input: z.strictObject({ text: Message }),
  output: z.strictObject({
    matches: z.array(
      z.strictObject({
        skill: SkillMetadata,
        score: z.number().describe('From 0 to 1'),
        reasons: z.array(
          z.strictObject({
            kind: z.enum(['name', 'keyword', 'verb', 'pattern', 'description']),
            value: z.string().describe('The trigger, or a word of the description'),
            matched: z.string().describe('The part of the message that matched'),
          }),
        ),
      }),
    ),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  async run({ text }, connection) {
    const matches = await (await connection.session()).triggers(text);
    return { matches: matches.map(({ skill, ...rest }) => ({ ...rest, skill: wireSkill(skill) })) };
  },
});
