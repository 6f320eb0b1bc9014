// Quizzes of a session: gates checked before any text is served, and answering them.

import * as z from 'zod';
import { catchCoded, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import {
  mayBeGated,
  QuizAnswer,
  type QuizChoice,
  type QuizMemory,
  type QuizSkills,
  QuizView,
  renderAnswers,
  servedAnswers,
} from '../../skill/quiz/index.ts';
import { load, openQuiz } from './load-skill.ts';
import type { LoadOptions } from './session.ts';
import { aboutSkill, method, readsSkill, withReference } from './session-method.ts';
import { openFor, type SessionState } from './session-state.ts';

/** A synchronous check whether a quiz locks a skill. A quiz that cannot be read locks it. */
export async function loadGateCheck(memory: QuizMemory): Promise<(dir: string) => boolean> {
  const { closedGateOf } = await import('../../skill/quiz/closed-gate.ts');
  return (dir) =>
    mayBeGated(dir) &&
    catchCoded(
      () => closedGateOf(dir, memory) !== undefined,
      () => true,
    );
}

export const quiz = method({
  rpc: 'skills.quiz',
  summary: 'Get the quizzes of a skill and their state',
  input: withReference({}),
  output: QuizView,
  ...readsSkill,
  wire: (reference, run) => run(reference),
  async run(state: SessionState, reference: SkillReference, how: LoadOptions = {}): Promise<QuizView> {
    return (await openQuiz(await openFor(state, reference, how), { memory: state.quizMemory })).view();
  },
});

export const answerQuiz = method({
  rpc: 'skills.answerQuiz',
  summary: 'Answer questions of a quiz, all of them or none',
  input: withReference({
    choices: z
      .array(z.strictObject({ question: z.int(), options: z.array(z.int()).max(1000) }))
      .min(1)
      .max(1000)
      .describe('Question and option numbers as returned by skills.quiz'),
  }),
  output: z.strictObject({ answers: z.array(QuizAnswer), quiz: QuizView }),
  ...readsSkill,
  wire: ({ choices, ...reference }, run) => run(reference, choices),
  logged: {
    command: 'quiz',
    served: ({ answers, quiz: view }) => ({ text: renderAnswers(answers), ...servedAnswers(answers, view) }),
  },
  recorded: aboutSkill('answerQuiz'),
  async run(
    state: SessionState,
    reference: SkillReference,
    choices: readonly QuizChoice[],
    how: LoadOptions = {},
  ): Promise<{ answers: QuizAnswer[]; quiz: QuizView }> {
    const skill = await openFor(state, reference, how);
    const skills = quizSkills({
      find: (name) => openFor(state, { name }, how),
      load: async (name) => (await load.run(state, { name }, how)).text,
    });
    const run = await openQuiz(skill, { memory: state.quizMemory, skills });
    const answers = await run.answerAll(choices);
    return { answers, quiz: run.view() };
  },
});

/** Skills that a quiz branch may load, found and judged like any other load of the session. */
export function quizSkills(session: {
  find(name: string): Promise<Pick<SkillRecord, 'dir'>>;
  load(name: string): Promise<string>;
}): QuizSkills {
  return {
    async locate(name) {
      try {
        return (await session.find(name)).dir;
      } catch (error) {
        // Missing, ambiguous, or not visible to the reader.
        if (error instanceof SkillwrightError) return undefined;
        throw error;
      }
    },
    load: (name) => session.load(name),
  };
}
