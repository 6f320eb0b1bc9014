// Gates and the commands that read skills: who has passed what, and who need not.

import * as z from 'zod';
import { type ClosedGate, mayBeGated, type QuizMemory } from '../../skill/quiz/index.ts';
import type { CommandContext } from './command-context.ts';

/** Skills that may have a gate. */
interface GatedSkills {
  readonly skills: readonly { readonly dir: string; readonly gated?: true }[];
}

/** `--author`, the same on every command that gives content. */
export const author = z
  .boolean()
  .default(false)
  .describe('You wrote the skill: read it as if its quiz were passed');

/** Who has passed what: the memory of a connection that lasts, else that of the command line. */
export async function quizMemoryOf(context: CommandContext): Promise<QuizMemory> {
  if (context.quizMemory !== undefined) return context.quizMemory;
  const { openQuizStateFile } = await import('../../skill/quiz/quiz-state-file.ts');
  return openQuizStateFile(context);
}

/** The closed gate of the skill in `dir`; undefined when all of it may be read. */
export async function gateOf(
  dir: string,
  input: { readonly author: boolean },
  context: CommandContext,
): Promise<ClosedGate | undefined> {
  if (input.author || !mayBeGated(dir)) return undefined;
  const { findClosedGate } = await import('../../skill/quiz/closed-gate.ts');
  return findClosedGate(dir, () => quizMemoryOf(context));
}

/** The directories of the skills whose gate was passed: what stands in them may be searched. */
export async function openedSkills(
  { skills }: GatedSkills,
  context: CommandContext,
): Promise<ReadonlySet<string>> {
  const gated = skills.filter((skill) => skill.gated);
  if (gated.length === 0) return new Set();
  const { openedOf } = await import('../../host/runtime/session-quiz.ts');
  return openedOf(gated, await quizMemoryOf(context));
}
