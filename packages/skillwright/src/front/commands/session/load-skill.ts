// skills.load: load a skill into a conversation.

import * as z from 'zod';
import { QuizView } from '../../../skill/quiz/index.ts';
import { defineOperation } from '../define-command.ts';
import { load } from '../load.ts';
import { Remark, withReference } from './wire-shapes.ts';

/** Returns the text of a skill once, then reminders. */
export const loadSkill = defineOperation({
  input: withReference({
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes to skip in a long body: next_offset of the previous part'),
  }),
  output: load.output.extend({
    text: z.string().describe('Text for the model'),
    quiz: QuizView.optional().describe('With status quiz: the quiz to pass first'),
    diagnostics: z.array(Remark),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async ({ offset, ...reference }, connection) =>
    (await connection.session()).load(reference, { offset }),
});
