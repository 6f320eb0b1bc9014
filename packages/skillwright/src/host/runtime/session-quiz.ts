// The quizzes of a session: gates that are asked before anything is given, and the taking of them.

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

/** The closed gate of a skill as it is now; undefined when all of it may be given. Without a memory nobody has passed. */
async function closedGate(
  { dir }: Pick<SkillRecord, 'dir'>,
  memory: QuizMemory | undefined,
): Promise<ClosedGate | undefined> {
  if (!mayBeGated(dir)) return undefined;
  const { findClosedGate } = await import('../../skill/quiz/closed-gate.ts');
  return findClosedGate(dir, () => memory);
}

/** A way to tell, without waiting, whether a quiz keeps a skill closed. One that cannot be read is closed. */
export async function loadGateCheck(memory: QuizMemory): Promise<(dir: string) => boolean> {
  const { closedGateOf } = await import('../../skill/quiz/closed-gate.ts');
  return (dir) =>
    mayBeGated(dir) &&
    catchCoded(
      () => closedGateOf(dir, memory) !== undefined,
      () => true,
    );
}

/** The quiz that is given in place of a closed skill; undefined when it is open. E062 when nobody can take it. */
export async function quizInstead(
  skill: Pick<SkillRecord, 'dir'>,
  memory: QuizMemory | undefined,
): Promise<QuizView | undefined> {
  const gate = await closedGate(skill, memory);
  if (gate === undefined) return undefined;
  if (!gate.takable) throw gate.refusal();
  return (await openQuiz(skill, { memory: memory ?? createQuizMemory() })).view();
}

/** The quizzes of a skill, to be taken in a session. */
export async function openQuiz(
  { dir }: Pick<SkillRecord, 'dir'>,
  options: { readonly memory: QuizMemory; readonly skills?: QuizSkills },
): Promise<QuizRun> {
  const { startQuiz } = await import('../../skill/quiz/start-quiz.ts');
  return startQuiz(dir, options);
}

/** Skills as a branch may load them: found and judged as every other load of the session. */
export function quizSkills(session: {
  find(name: string): Promise<Pick<SkillRecord, 'dir'>>;
  load(name: string): Promise<string>;
}): QuizSkills {
  return {
    async locate(name) {
      try {
        return (await session.find(name)).dir;
      } catch (error) {
        // Not there, ambiguous, or kept from the reader.
        if (error instanceof SkillwrightError) return undefined;
        throw error;
      }
    },
    load: (name) => session.load(name),
  };
}
