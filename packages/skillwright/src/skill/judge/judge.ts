// The one judge: may this be done with that skill, and by whom? Every operation of every front end asks here.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { PermissionRule } from '../config/index.ts';
import { type ClosedGate, type FindMemory, mayBeGated } from '../quiz/index.ts';
import { openSkill, type Skill } from '../skill/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { createEnclosureFinder, type FindEnclosing } from './enclosing.ts';
import {
  type Actor,
  type JudgedSkill,
  type Law,
  type Operation,
  type Question,
  type Reason,
  refusal,
  type Standing,
  standingOf,
  unconfirmed,
} from './standing.ts';

/** The judgement, and the skill it comes from: the one that was asked about, or one that it lies in. */
export type Verdict =
  | { readonly verdict: 'allow' }
  | {
      readonly verdict: 'ask';
      readonly skill: JudgedSkill;
      readonly tool: string;
      readonly rule: PermissionRule | null;
    }
  | { readonly verdict: 'deny' | 'hide'; readonly skill: JudgedSkill; readonly reason: Reason }
  | { readonly verdict: 'closed'; readonly skill: JudgedSkill; readonly gate: ClosedGate };

/** How the author of a skill is treated, and what is known already. */
export interface JudgeOptions {
  /** The author looks at what they wrote: no quiz stands before it. */
  readonly author?: boolean | undefined;
  /** The digest of all files, when it is known. */
  readonly digest?: string | undefined;
  /** Leaves the skill's own gate to whoever asks: parts of a closed skill may be read. */
  readonly exceptGate?: boolean | undefined;
}

/** Judges skills by one law. */
export interface Judge {
  /** The directories of the skills that a canonical directory lies in. */
  readonly enclosing: FindEnclosing;
  judge(skill: JudgedSkill, question: Question, options?: JudgeOptions): Promise<Verdict>;
  /** The closed gate of the skill in a directory; undefined when all of it may be given. */
  gateOf(dir: string, digest?: string): Promise<ClosedGate | undefined>;
}

/** Operations that a quiz stands before. */
const closable: readonly Operation[] = ['read', 'invoke', 'run', 'inspect'];

/** What a judge goes by: a workspace, or rules and switches as a host has them. */
export type LawSource = Law | Pick<Workspace, 'rules' | 'off'>;

/** A judge. `memory` tells which quizzes were passed; it is asked only about skills that have one. */
export function createJudge(source: LawSource, memory: FindMemory): Judge {
  const enclosing = createEnclosureFinder();
  const gateOf = async (dir: string, digest?: string): Promise<ClosedGate | undefined> => {
    if (!mayBeGated(dir)) return undefined;
    const { findClosedGate } = await import('../quiz/closed-gate.ts');
    return findClosedGate(dir, memory, digest);
  };
  return {
    enclosing,
    gateOf,
    async judge(skill, question, { author = false, digest, exceptGate = false } = {}) {
      const law = await lawOf(source);
      const own = standingOf(skill, question, law);
      if (own.verdict !== 'allow') return { ...own, skill };
      for (const dir of enclosing(skill.dir)) {
        const outer = tryOpen(dir);
        if (outer === undefined) continue;
        const standing = standingOf(outer, question, law);
        if (standing.verdict !== 'allow') return { ...standing, skill: outer };
        const gate = isClosable(question, author) ? await gateOf(dir) : undefined;
        if (gate !== undefined) return { verdict: 'closed', skill: outer, gate };
      }
      const mayClose = !exceptGate && isClosable(question, author);
      const gate = mayClose ? await gateOf(skill.dir, digest) : undefined;
      return gate === undefined ? { verdict: 'allow' } : { verdict: 'closed', skill, gate };
    },
  };
}

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

async function lawOf({ rules, off }: LawSource): Promise<Law> {
  return { rules: typeof rules === 'function' ? await rules() : rules, off };
}

const isClosable = ({ operation }: Question, author: boolean) => !author && closable.includes(operation);

/** The error for a verdict that is not an allowance. `word` is what the caller calls the skill. */
export function refusalOf(verdict: Exclude<Verdict, { verdict: 'allow' }>, word?: string): SkillwrightError {
  if (verdict.verdict === 'closed') return verdict.gate.refusal(word);
  return verdict.verdict === 'ask' ? unconfirmed(verdict.skill) : refusal(verdict.skill, verdict.reason);
}

/** The skill in a directory; undefined when there is none that can be read. */
export function tryOpen(dir: string): Skill | undefined {
  try {
    return openSkill(dir);
  } catch (error) {
    // A SKILL.md that cannot be read names no skill.
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  }
}
