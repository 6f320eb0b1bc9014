// Loading a skill into a conversation.

import * as z from 'zod';
import { QuizView } from '../../../skill/quiz/index.ts';
import { defineOperation } from '../define-command.ts';
import { load } from '../load.ts';
import { Remark, withReference } from './wire-shapes.ts';

/** Gives a skill once, then reminders. */
export const loadSkill = defineOperation({
  input: withReference({
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes of a long body to skip: the next_offset of the part before'),
  }),
  output: load.output.extend({
    text: z.string().describe('For the model'),
    quiz: QuizView.optional().describe('With status quiz: what has to be passed first'),
    diagnostics: z.array(Remark),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async ({ offset, ...reference }, connection) =>
    (await connection.session()).load(reference, { offset }),
});
