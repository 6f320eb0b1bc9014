// Decides who may do what with a skill, and how much of it they may read.

export { createEnclosureFinder, createJudge, type Judge, refusalOf, type Verdict } from './judge.ts';
export { findReach, nestedManifests, type Reach, wholeReach } from './reach.ts';
export {
  type Actor,
  decide,
  type GuardedTool,
  isUserOnly,
  type Judged,
  type Law,
  type Operation,
  type Question,
  type Reason,
  refusal,
  standingOf,
  unconfirmed,
} from './standing.ts';
export type { Touches, Written } from './touches.ts';
export { isOpenToAnyone, standingWithin, tryOpen } from './within.ts';
