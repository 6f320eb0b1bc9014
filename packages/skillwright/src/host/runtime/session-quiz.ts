// Quizzes of a session: gates checked before any text is served, and answering them.

import { catchCoded, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import {
  type ClosedGate,
  createQuizMemory,
  mayBeGated,
  type QuizMemory,
  type QuizRun,
  type QuizSkills,
  type QuizView,
} from '../../skill/quiz/index.ts';

/** The closed gate of a skill in its current state; undefined when it is open. Without a memory no quiz is passed. */
async function closedGate(
  { dir }: Pick<SkillRecord, 'dir'>,
  memory: QuizMemory | undefined,
): Promise<ClosedGate | undefined> {
  if (!mayBeGated(dir)) return undefined;
  const { findClosedGate } = await import('../../skill/quiz/closed-gate.ts');
  return findClosedGate(dir, () => memory);
}

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

/** The quiz served in place of a locked skill; undefined when it is open. E062 when the quiz cannot be taken. */
export async function quizInstead(
  skill: Pick<SkillRecord, 'dir'>,
  memory: QuizMemory | undefined,
): Promise<QuizView | undefined> {
  const gate = await closedGate(skill, memory);
  if (gate === undefined) return undefined;
  if (!gate.takable) throw gate.refusal();
  return (await openQuiz(skill, { memory: memory ?? createQuizMemory() })).view();
}

/** The quizzes of a skill, to take in a session. */
export async function openQuiz(
  { dir }: Pick<SkillRecord, 'dir'>,
  options: { readonly memory: QuizMemory; readonly skills?: QuizSkills },
): Promise<QuizRun> {
  const { startQuiz } = await import('../../skill/quiz/start-quiz.ts');
  return startQuiz(dir, options);
}

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
