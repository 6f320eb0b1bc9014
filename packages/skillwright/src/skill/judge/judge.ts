// The judge: may this actor do this with that skill? Every operation of every front end asks here.

import { basename, dirname } from 'node:path';
import type { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isIgnoredName } from '../../base/files/index.ts';
import type { PermissionRule } from '../config/index.ts';
import { type ClosedGate, type FindMemory, mayBeGated } from '../quiz/index.ts';
import { isSkill } from '../skill/index.ts';
import type { Workspace } from '../workspace/index.ts';
import {
  type GuardedTool,
  type Judged,
  type Law,
  type Operation,
  type Question,
  type Reason,
  refusal,
  standingOf,
  unconfirmed,
} from './standing.ts';

/** The verdict, and the skill it comes from: the requested one, or one that contains it. */
export type Verdict =
  | { readonly verdict: 'allow' }
  | {
      readonly verdict: 'ask';
      readonly skill: Judged;
      readonly tool: GuardedTool;
      readonly rule: PermissionRule | null;
    }
  | { readonly verdict: 'deny' | 'hide'; readonly skill: Judged; readonly reason: Reason }
  | { readonly verdict: 'closed'; readonly skill: Judged; readonly gate: ClosedGate };

/** Options for authors, and values already computed. */
export interface JudgeOptions {
  /** The author reads their own skill: skip its quiz. */
  readonly author?: boolean | undefined;
  /** Digest of all files, when already computed. */
  readonly digest?: string | undefined;
  /** Leaves the skill's own gate to the caller: parts of a closed skill may be read. */
  readonly exceptGate?: boolean | undefined;
}

/** Judges skills by one set of rules. */
export interface Judge {
  /** Directories of the skills that contain a canonical directory. */
  readonly enclosing: FindEnclosing;
  judge(skill: Judged, question: Question, options?: JudgeOptions): Promise<Verdict>;
  /** The closed gate of the skill in a directory; undefined when all of it may be read. */
  gateOf(dir: string, digest?: string): Promise<ClosedGate | undefined>;
}

const nobody = { tryOpen: () => undefined };

/** Operations a quiz blocks. */
const closable: readonly Operation[] = ['read', 'invoke', 'run', 'inspect'];

/** Input of a judge: a workspace, or a host's own rules and switches. */
type LawSource = Law | Pick<Workspace, 'rules' | 'off'>;

/** Creates a judge. `memory` knows which quizzes were passed; it is only consulted for skills that have one. */
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
      // Most skills are not nested, and opening one means parsing YAML.
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

/** Error for a verdict other than allow. `word` is the caller's name for the skill. */
export function refusalOf(verdict: Exclude<Verdict, { verdict: 'allow' }>, word?: string): SkillwrightError {
  if (verdict.verdict === 'closed') return verdict.gate.refusal(word);
  return verdict.verdict === 'ask' ? unconfirmed(verdict) : refusal(verdict.skill, verdict.reason);
}

/** Directories of the skills that contain a canonical directory, innermost first. */
export type FindEnclosing = (dir: string) => readonly string[];

/** Creates a finder that reads each directory once. Hidden directories and node_modules are not part of a skill. */
export function createEnclosureFinder(): FindEnclosing {
  /** Skills at or around a directory, by directory: most skills share a parent. */
  const known = new Map<string, readonly string[]>();
  return (dir) => {
    const parent = dirname(dir);
    if (parent === dir || isIgnoredName(basename(dir))) return [];
    const before = known.get(parent);
    if (before !== undefined) return before;
    const places = [parent];
    for (let at = parent; dirname(at) !== at && !isIgnoredName(basename(at)); at = dirname(at))
      places.push(dirname(at));
    const found = places.filter(isSkill);
    known.set(parent, found);
    return found;
  };
}
