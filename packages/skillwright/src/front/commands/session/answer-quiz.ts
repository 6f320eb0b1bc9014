// skills.answerQuiz: answer questions of a quiz.

import * as z from 'zod';
import { QuizAnswer, QuizView } from '../../../skill/quiz/index.ts';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Grades answers. */
export const answerQuiz = defineOperation({
  input: withReference({
    choices: z
      .array(z.strictObject({ question: z.int(), options: z.array(z.int()).max(1000) }))
      .min(1)
      .max(1000)
      .describe('Question and option numbers as returned by skills.quiz'),
  }),
  output: z.strictObject({ answers: z.array(QuizAnswer), quiz: QuizView }),
  effect: 'write',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async ({ choices, ...reference }, connection) =>
    (await connection.session()).answerQuiz(reference, choices),
});
