// Verdict on a skill together with the skills that contain it.

import { attempt } from '../../base/diagnostics/index.ts';
import { openSkill, type Skill } from '../skill/index.ts';
import type { FindEnclosing } from './judge.ts';
import {
  type Actor,
  type Judged,
  type Law,
  type Operation,
  type Question,
  type Standing,
  standingOf,
} from './standing.ts';

/** Verdict on a skill and every skill that contains it; ignores quizzes. */
export function standingWithin(
  skill: Judged,
  question: Question,
  { law, enclosing }: { readonly law: Law; readonly enclosing: FindEnclosing },
): Standing {
  const own = standingOf(skill, question, law);
  if (own.verdict !== 'allow') return own;
  for (const dir of enclosing(skill.dir)) {
    const outer = tryOpen(dir);
    const standing = outer === undefined ? own : standingOf(outer, question, law);
    if (standing.verdict !== 'allow') return standing;
  }
  return own;
}

/** True when the model or the user may use a skill, at most after a confirmation. */
export function isOpenToAnyone(
  skill: Judged,
  operations: Readonly<Record<Actor, Operation>>,
  place: { readonly law: Law; readonly enclosing: FindEnclosing },
): boolean {
  return (['model', 'user'] as const).some(
    (by) => !('reason' in standingWithin(skill, { operation: operations[by], by }, place)),
  );
}

/** The skill in a directory; undefined when missing or unreadable. */
export function tryOpen(dir: string): Skill | undefined {
  return attempt(() => openSkill(dir));
}
