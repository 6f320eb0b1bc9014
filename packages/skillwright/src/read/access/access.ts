// The only way to a skill: finds it, judges the request, and returns the skill with its reach.

import { basename, join } from 'node:path';
import { canonicalPath } from '../../base/files/index.ts';
import {
  type Actor,
  createJudge,
  findReach,
  type Judge,
  type JudgedSkill,
  type Operation,
  type Reach,
  type Reason,
  refusalOf,
  unconfirmed,
  type Verdict,
} from '../../skill/judge/index.ts';
import type { FindMemory } from '../../skill/quiz/index.ts';
import { findRuntime, type LocatedSkill, runtimeBaseOf } from '../../skill/skill/index.ts';
import { noPermissions, type Workspace } from '../../skill/workspace/index.ts';
import type { SkillCatalog, SkillRecord } from '../catalog/index.ts';
import { indexFileName } from '../index/index.ts';
import { sourceGone } from './not-found.ts';
import { findGoneSource, resolveSkill } from './resolve-skill.ts';

/** A rule that requires a confirmation. */
export interface Confirmation {
  readonly skill: JudgedSkill;
  /** `skill_load` or `skill_run`. */
  readonly tool: string;
}

/** The actor and its callbacks. */
export interface AccessOptions {
  readonly workspace: Workspace;
  readonly by: Actor;
  /** Passed quizzes; only consulted for skills that have one. */
  readonly memory: FindMemory;
  /** Asks the user; without it, uses that need a confirmation are refused. */
  readonly confirm?: ((question: Confirmation) => Promise<boolean>) | undefined;
  /** The catalog of a process that keeps one. */
  readonly catalog?: ((options: { readonly fresh: boolean }) => Promise<SkillCatalog>) | undefined;
  /** Called with the skill of an operation once known, whether allowed or not. */
  readonly accessed?: ((skill: AccessedSkill) => void) | undefined;
}

/** An accessed skill. */
export interface AccessedSkill {
  /** Canonical directory of the source. */
  readonly dir: string;
  /** Its runtime directory, which may not exist yet. */
  readonly runtime: string;
}

/** The operation, and whether the author performs it. */
export interface AccessQuestion {
  readonly operation: Operation;
  readonly author?: boolean | undefined;
}

/** A skill the actor may use. `dir` is canonical. */
export interface OpenedSkill extends LocatedSkill {
  /** The caller's name for it. */
  readonly word: string;
  /** Its runtime directory, which may not exist yet. */
  runtime(): Promise<string>;
  /** How much of it may be read. Call this after reading: an edit in between closes its gate again. */
  reach(files: Iterable<string>, digest?: string): Promise<Reach>;
}

/** A record hidden from the actor, and why. */
interface HiddenRecord {
  readonly skill: SkillRecord;
  readonly reason: Reason;
}

/** The skills of a workspace for one actor. */
export interface Access {
  readonly workspace: Workspace;
  readonly by: Actor;
  readonly judge: Judge;
  /** Opens the skill a word refers to. E001, E005, E010, E023 when there is none; E060, E061 when access is refused. */
  open(word: string, question: AccessQuestion): Promise<OpenedSkill>;
  /** Same for a known skill directory; `real` when its real path is also known. */
  openAt(dir: string, question: AccessQuestion, real?: string): Promise<OpenedSkill>;
  /** Whether the skill in a directory exists for the actor. For a model, an unreadable one does not: it cannot be judged. */
  isVisible(dir: string): Promise<boolean>;
  /** The verdict on a skill; quizzes included. */
  verdict(skill: JudgedSkill, question: AccessQuestion): Promise<Verdict>;
  /** Every skill, visible or not; `fresh` bypasses a kept catalog. */
  catalog(options?: { readonly fresh?: boolean }): Promise<SkillCatalog>;
  /** The catalog without the skills hidden from the actor, and those skills. */
  view(catalog: SkillCatalog): Promise<{ visible: SkillCatalog; hidden: HiddenRecord[] }>;
}

/** Operations that need the source, which a stub alone cannot serve. */
const needsSource: ReadonlySet<Operation> = new Set(['read', 'run', 'invoke']);

/** Opens the skills of a workspace for an actor. */
export function createAccess(options: AccessOptions): Access {
  const { workspace, by, memory, confirm } = options;
  const judge = createJudge(workspace, memory);
  let known: Promise<SkillCatalog> | undefined;
  const catalog = ({ fresh = false } = {}): Promise<SkillCatalog> => {
    if (fresh && options.catalog !== undefined) known = undefined;
    known ??= options.catalog?.({ fresh }) ?? loadWhole(workspace);
    return known;
  };

  /** Why a record does not exist for the actor. */
  const reasonFor = async (): Promise<(skill: SkillRecord) => Reason | undefined> => {
    const law = { rules: await workspace.rules(), off: workspace.off };
    const { standingWithin } = await import('../../skill/judge/within.ts');
    return (skill) => {
      const standing = standingWithin(skill, { operation: 'list', by }, { law, enclosing: judge.enclosing });
      return 'reason' in standing ? standing.reason : undefined;
    };
  };

  /** Throws unless the actor may use the skill. Leaves its own gate to `reach`, except where the whole skill is needed. */
  const admit = async (dir: string, { operation, author }: AccessQuestion, word: string): Promise<void> => {
    const isFree = by === 'user' && workspace.off.names.length === 0 && judge.enclosing(dir).length === 0;
    const isWhole = operation === 'run';
    if (isFree && !isWhole && (await workspace.rules()) === noPermissions) return;
    const { openSkill } = await import('../../skill/skill/open-skill.ts');
    const skill = openSkill(dir);
    const asked = new Set<string>();
    const keyOf = ({ dir: place }: JudgedSkill, tool: string) => `${place}\0${tool}`;
    for (;;) {
      const confirmed = (skill: JudgedSkill, tool: string) => asked.has(keyOf(skill, tool));
      const question = { operation, by, confirmed };
      const verdict = await judge.judge(skill, question, { author, exceptGate: !isWhole });
      if (verdict.verdict === 'allow') return;
      if (verdict.verdict !== 'ask') throw refusalOf(verdict, word);
      if ((await confirm?.({ skill: verdict.skill, tool: verdict.tool })) !== true)
        throw unconfirmed(verdict);
      asked.add(keyOf(verdict.skill, verdict.tool));
    }
  };

  const openLocated = async (
    skill: LocatedSkill,
    word: string,
    question: AccessQuestion,
  ): Promise<OpenedSkill> => {
    const { dir } = skill;
    let known: Promise<string> | undefined;
    const runtime = () => {
      known ??= findRuntimeOf(skill, workspace);
      return known;
    };
    if (options.accessed !== undefined) options.accessed({ dir, runtime: await runtime() });
    await admit(dir, question, word);
    return {
      ...skill,
      runtime,
      word,
      reach: (files, digest) =>
        findReach(judge, skill, {
          files,
          question: { operation: question.operation, by },
          author: question.author,
          digest,
        }),
    };
  };

  const isVisible = async (dir: string): Promise<boolean> => {
    if (by === 'user') return true;
    const { tryOpen } = await import('../../skill/judge/within.ts');
    const skill = tryOpen(dir);
    return skill !== undefined && (await judge.judge(skill, { operation: 'list', by })).verdict === 'allow';
  };

  return {
    workspace,
    by,
    judge,
    catalog,
    isVisible,
    async open(word, question) {
      let hidden: ((skill: SkillRecord) => Reason | undefined) | undefined;
      const lookup = {
        async catalog(how: { fresh: boolean }) {
          hidden = await reasonFor();
          return catalog(how);
        },
        // A missing name may have appeared since.
        mayBeOld: options.catalog !== undefined,
        isHidden: (skill: SkillRecord) => hidden?.(skill) !== undefined,
        isVisible,
      };
      const { dir, scope } = await resolveSkill(word, workspace, lookup);
      const opened = await openLocated({ dir: canonicalPath(dir), scope }, word, question);
      // A stub contains nothing of the skill to read or run.
      const gone = needsSource.has(question.operation) ? findGoneSource(opened.dir, workspace) : undefined;
      if (gone !== undefined) throw sourceGone(word, gone);
      return opened;
    },
    openAt: (dir, question, real = canonicalPath(dir)) =>
      openLocated({ dir: real, scope: undefined }, basename(dir), question),
    verdict: (skill, { operation, author }) => judge.judge(skill, { operation, by }, { author }),
    async view(whole) {
      const reason = await reasonFor();
      const hidden: HiddenRecord[] = [];
      const skills: SkillRecord[] = [];
      for (const skill of whole.skills) {
        const why = reason(skill);
        if (why === undefined) skills.push(skill);
        else hidden.push({ skill, reason: why });
      }
      return { visible: hidden.length === 0 ? whole : { ...whole, skills }, hidden };
    },
  };
}

async function loadWhole(workspace: Workspace): Promise<SkillCatalog> {
  const { loadCatalog } = await import('../catalog/load-catalog.ts');
  return loadCatalog(workspace);
}

/** Runtime directory of a skill, usually named like its directory; otherwise by its frontmatter. */
export async function findRuntimeOf(skill: LocatedSkill, workspace: Workspace): Promise<string> {
  const indexFile = indexFileName(skill.dir);
  const named = findRuntime(skill, { name: basename(skill.dir), indexFile, workspace });
  return named ?? runtimeByName(skill, workspace);
}

/** The name in the frontmatter may change while the directory keeps its name; the old index would then stay stale. */
export async function runtimeByName(skill: LocatedSkill, workspace: Workspace): Promise<string> {
  const { openSkill } = await import('../../skill/skill/open-skill.ts');
  const { name } = openSkill(skill.dir);
  const found = findRuntime(skill, { name, indexFile: indexFileName(skill.dir), workspace });
  return found ?? join(runtimeBaseOf(skill, workspace).dir, name);
}
