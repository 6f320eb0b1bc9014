// Quizzes of a session: gates checked before any text is served, and answering them.

import { catchCoded, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { mayBeGated, type QuizMemory, type QuizSkills } from '../../skill/quiz/index.ts';
import { loadSkill, openQuiz } from './load-skill.ts';
import type { SessionMethods } from './session.ts';
import { openFor } from './session-state.ts';

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

export const viewQuiz: SessionMethods['quiz'] = async (state, reference, how = {}) =>
  (await openQuiz(await openFor(state, reference, how), { memory: state.quizMemory })).view();

export const answerQuiz: SessionMethods['answerQuiz'] = async (state, reference, choices, how = {}) => {
  const skill = await openFor(state, reference, how);
  const skills = quizSkills({
    find: (name) => openFor(state, { name }, how),
    load: async (name) => (await loadSkill(state, { name }, how)).text,
  });
  const run = await openQuiz(skill, { memory: state.quizMemory, skills });
  const answers = await run.answerAll(choices);
  return { answers, quiz: run.view() };
};

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
