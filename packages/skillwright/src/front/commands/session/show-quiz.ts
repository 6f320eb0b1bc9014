// skills.quiz: get the quizzes of a skill.

import { QuizView } from '../../../skill/quiz/index.ts';
import { defineOperation } from '../define-command.ts';
import { withReference } from './wire-shapes.ts';

/** Returns the questions. */
export const showQuiz = defineOperation({
  input: withReference({}),
  output: QuizView,
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'read' },
  run: async (reference, connection) => (await connection.session()).quiz(reference),
});
