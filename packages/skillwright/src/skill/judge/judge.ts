// The one judge: may this be done with that skill, and by whom? Every operation of every front end asks here.

import type { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { PermissionRule } from '../config/index.ts';
import { type ClosedGate, type FindMemory, mayBeGated } from '../quiz/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { createEnclosureFinder, type FindEnclosing } from './enclosing.ts';
import {
  type GuardedTool,
  type JudgedSkill,
  type Law,
  type Operation,
  type Question,
  type Reason,
  refusal,
  standingOf,
  unconfirmed,
} from './standing.ts';

/** The judgement, and the skill it comes from: the one that was asked about, or one that it lies in. */
export type Verdict =
  | { readonly verdict: 'allow' }
  | {
      readonly verdict: 'ask';
      readonly skill: JudgedSkill;
      readonly tool: GuardedTool;
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

const nobody = { tryOpen: () => undefined };

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
      const around = enclosing(skill.dir);
      // Most skills lie in no other, and opening one costs the reading of YAML.
      const { tryOpen } = around.length === 0 ? nobody : await import('./within.ts');
      for (const dir of around) {
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

async function lawOf({ rules, off }: LawSource): Promise<Law> {
  return { rules: typeof rules === 'function' ? await rules() : rules, off };
}

const isClosable = ({ operation }: Question, author: boolean) => !author && closable.includes(operation);

/** The error for a verdict that is not an allowance. `word` is what the caller calls the skill. */
export function refusalOf(verdict: Exclude<Verdict, { verdict: 'allow' }>, word?: string): SkillwrightError {
  if (verdict.verdict === 'closed') return verdict.gate.refusal(word);
  return verdict.verdict === 'ask' ? unconfirmed(verdict) : refusal(verdict.skill, verdict.reason);
}
