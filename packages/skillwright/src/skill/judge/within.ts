// How a skill stands together with the skills it lies in.

import { attempt } from '../../base/diagnostics/index.ts';
import { openSkill, type Skill } from '../skill/index.ts';
import type { FindEnclosing } from './enclosing.ts';
import {
  type Actor,
  type JudgedSkill,
  type Law,
  type Operation,
  type Question,
  type Standing,
  standingOf,
} from './standing.ts';

/** How a skill stands together with every skill it lies in; quizzes are left out. */
export function standingWithin(
  skill: JudgedSkill,
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

/** True when the model or the user may still do something with a skill: what stands before it is a question at most. */
export function isOpenToAnyone(
  skill: JudgedSkill,
  operations: Readonly<Record<Actor, Operation>>,
  place: { readonly law: Law; readonly enclosing: FindEnclosing },
): boolean {
  return (['model', 'user'] as const).some(
    (by) => !('reason' in standingWithin(skill, { operation: operations[by], by }, place)),
  );
}

/** The skill in a directory; undefined when there is none that can be read. */
export function tryOpen(dir: string): Skill | undefined {
  return attempt(() => openSkill(dir));
}
