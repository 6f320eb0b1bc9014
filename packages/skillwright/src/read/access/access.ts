// The one way from a word to a skill: found, judged, and handed over with how much of it may be given.

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

/** A rule that wants a confirmation. */
export interface Confirmation {
  readonly skill: JudgedSkill;
  /** `skill_load` or `skill_run`. */
  readonly tool: string;
}

/** Who accesses skills, and how. */
export interface AccessOptions {
  readonly workspace: Workspace;
  readonly by: Actor;
  /** Which quizzes were passed; asked only about skills that have one. */
  readonly memory: FindMemory;
  /** Asks the user; without it whatever wants a confirmation is refused. */
  readonly confirm?: ((question: Confirmation) => Promise<boolean>) | undefined;
  /** The catalog, for processes that keep one. */
  readonly catalog?: ((options: { readonly fresh: boolean }) => Promise<SkillCatalog>) | undefined;
  /** Told which skill an operation is about as soon as that is known, whether it is allowed or not. */
  readonly accessed?: ((skill: AccessedSkill) => void) | undefined;
}

/** A skill that was accessed. */
export interface AccessedSkill {
  /** Canonical directory of the source. */
  readonly dir: string;
  /** Its runtime directory, which may not exist yet. */
  readonly runtime: string;
}

/** What is to be done, and whether its author does it. */
export interface AccessQuestion {
  readonly operation: Operation;
  readonly author?: boolean | undefined;
}

/** A skill that may be touched. `dir` is canonical. */
export interface OpenedSkill extends LocatedSkill {
  /** What the caller calls it. */
  readonly word: string;
  /** Its runtime directory, which may not exist yet. */
  runtime(): Promise<string>;
  /** How much of it may be given. Ask after reading: whatever was edited in between has closed a gate again. */
  reach(files: Iterable<string>, digest?: string): Promise<Reach>;
}

/** A record that is kept from whoever asks, and why. */
export interface HiddenRecord {
  readonly skill: SkillRecord;
  readonly reason: Reason;
}

/** The skills of a workspace, as one actor may touch them. */
export interface Access {
  readonly workspace: Workspace;
  readonly by: Actor;
  readonly judge: Judge;
  /** Opens the skill a word means. E001, E005, E010, E023 when there is none; E060, E061 when it may not be touched. */
  open(word: string, question: AccessQuestion): Promise<OpenedSkill>;
  /** The same for a directory that is known to be a skill; `real` where its real path is known, too. */
  openAt(dir: string, question: AccessQuestion, real?: string): Promise<OpenedSkill>;
  /** Whether the skill in a directory exists for the actor. For a model one that cannot be read does not: nobody can judge it. */
  isVisible(dir: string): Promise<boolean>;
  /** The verdict on a skill; quizzes included. */
  verdict(skill: JudgedSkill, question: AccessQuestion): Promise<Verdict>;
  /** Every skill, whether it may be seen or not; `fresh` where a kept one is not enough. */
  catalog(options?: { readonly fresh?: boolean }): Promise<SkillCatalog>;
  /** The catalog without what is kept from the actor, and what that is. */
  view(catalog: SkillCatalog): Promise<{ visible: SkillCatalog; hidden: HiddenRecord[] }>;
}

/** What cannot be done with a stub whose source is gone. */
const needsSource: ReadonlySet<Operation> = new Set(['read', 'run', 'invoke']);

/** Opens the skills of a workspace for somebody. */
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

  /** Throws unless the skill may be touched. Its own gate is left to `reach`, except where all of it is needed. */
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
        // A name that is not there may have come since.
        mayBeOld: options.catalog !== undefined,
        isHidden: (skill: SkillRecord) => hidden?.(skill) !== undefined,
        isVisible,
      };
      const { dir, scope } = await resolveSkill(word, workspace, lookup);
      const opened = await openLocated({ dir: canonicalPath(dir), scope }, word, question);
      // A stub holds nothing that could be read or run for the skill.
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

/** The runtime directory of a skill, mostly named as the skill's directory is; otherwise its frontmatter is asked. */
export async function findRuntimeOf(skill: LocatedSkill, workspace: Workspace): Promise<string> {
  const indexFile = indexFileName(skill.dir);
  const named = findRuntime(skill, { name: basename(skill.dir), indexFile, workspace });
  return named ?? runtimeByName(skill, workspace);
}

/** A directory may keep its name while the frontmatter's changes; then the index of the old name is stale for ever. */
export async function runtimeByName(skill: LocatedSkill, workspace: Workspace): Promise<string> {
  const { openSkill } = await import('../../skill/skill/open-skill.ts');
  const { name } = openSkill(skill.dir);
  const found = findRuntime(skill, { name, indexFile: indexFileName(skill.dir), workspace });
  return found ?? join(runtimeBaseOf(skill, workspace).dir, name);
}
