// The only way to a skill: finds it, judges the request, asks the user where a rule wants that, and hands the skill over.

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Diagnostic, SkillwrightError } from '../../base/diagnostics/index.ts';
import { canonicalPath } from '../../base/files/index.ts';
import {
  type Actor,
  createJudge,
  findReach,
  type GuardedTool,
  type Judge,
  type Judged,
  type Law,
  type Operation,
  type Reach,
  type Reason,
  refusalOf,
  unconfirmed,
  type Verdict,
} from '../../skill/judge/index.ts';
import type { FindMemory } from '../../skill/quiz/index.ts';
import {
  findRuntime,
  isStored,
  type KnownPlace,
  type LocatedSkill,
  readingPlace,
  runtimeBaseOf,
  type Skill,
} from '../../skill/skill/index.ts';
import { noPermissions, OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';
import type { Discovery, SkillCatalog, SkillRecord } from '../catalog/index.ts';
import { indexFileName } from '../index/index.ts';
import {
  type FoundRecord,
  findRecord,
  type NamePolicy,
  resolveSkill,
  type SkillReference,
  sourceGone,
} from './resolve-skill.ts';

/** A rule that requires a confirmation. */
export interface Confirmation {
  readonly skill: Judged;
  /** `skill_load` or `skill_run`. */
  readonly tool: string;
}

/** The user's answers to rules that require a confirmation. */
export interface Confirmations {
  /** Whether this tool was confirmed for the skill as it is now. */
  has(skill: Pick<Judged, 'dir'>, tool: GuardedTool): boolean;
  /** Asks the user. E061 unless the answer is yes. Returns the trouble with storing the answer. */
  ask(verdict: Extract<Verdict, { verdict: 'ask' }>): Promise<readonly Diagnostic[]>;
  /** Records a yes. */
  add(skill: Pick<Judged, 'dir'>, tool: GuardedTool): void;
}

/** The actor and its callbacks. */
interface AccessOptions {
  readonly workspace: Workspace;
  readonly by: Actor;
  /** Passed quizzes; only consulted for skills that have one. */
  readonly memory: FindMemory;
  /** Rules and switches to judge by. Default: the workspace's. */
  readonly law?: Law | undefined;
  /** Choice among several skills of the name in `openListed`. Default: `ambiguous`. */
  readonly policy?: NamePolicy | undefined;
  /** Asks the user; without it, uses that need a confirmation are refused. */
  readonly confirm?: ((question: Confirmation) => Promise<boolean>) | undefined;
  /** Answers that outlive a request; without it, `confirm` is asked at every request. */
  readonly confirmations?: Confirmations | undefined;
  /** The catalog of a process that keeps one. */
  readonly catalog?: ((options: { readonly fresh: boolean }) => Promise<SkillCatalog>) | undefined;
  /** Called with the skill of an operation and its runtime directory once known, whether allowed or not. */
  readonly accessed?: ((skill: OpenedSkill, runtime: string) => void) | undefined;
}

/** The operation, and how it is performed. */
export interface AccessQuestion {
  readonly operation: Operation;
  /** Default: the actor of the access. */
  readonly by?: Actor | undefined;
  /** Whether the author performs it. */
  readonly author?: boolean | undefined;
  /** Whether the user has just confirmed it. */
  readonly confirmed?: boolean | undefined;
  /** Called before the user is asked to confirm a run. Throws when there is nothing to run. */
  readonly runs?: ((dir: string) => void | Promise<void>) | undefined;
}

/** A skill the actor may use. `dir` is canonical. */
export interface OpenedSkill extends LocatedSkill {
  /** The caller's name for it. */
  readonly word: string;
  /** The skill itself, opened on the first call. E010, E012, E015. */
  read(): Promise<Skill>;
  /** The directory of its index and log: its runtime directory or a place in the cache, which may not exist yet. */
  runtime(): Promise<string>;
  /** How much of it may be read. Call this after reading: an edit in between closes its gate again. */
  reach(files: Iterable<string>, digest?: string): Promise<Reach>;
}

/** A skill of the catalog as it is now, under its name in the catalog. */
export type OpenedRecord = Skill &
  FoundRecord & {
    /** Confirmations that could not be stored. */
    readonly warnings: readonly Diagnostic[];
    /** How much of it may be served. Call this after reading. */
    reach(files: Iterable<string>): Promise<Reach>;
  };

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
  /** Opens the skill in a known directory. */
  openAt(dir: string, question: AccessQuestion, known?: KnownPlace): Promise<OpenedSkill>;
  /**
   * Opens the skill of the catalog that a reference means, and no other. E001, E005, E060, E061; E012, E014, E015 when its
   * file cannot be used.
   */
  openListed(reference: SkillReference, question: AccessQuestion): Promise<OpenedRecord>;
  /** Finds that skill without opening it; without a question, also one that does not exist for the actor. */
  find(reference: SkillReference, question?: AccessQuestion): Promise<FoundRecord>;
  /** Why a record does not exist for the actor of a question; undefined when it does. */
  hides(question: AccessQuestion): Promise<(record: SkillRecord) => Reason | undefined>;
  /** Whether the skill in a directory exists for the actor. For a model, an unreadable one does not: it cannot be judged. */
  isVisible(dir: string): Promise<boolean>;
  /** Every skill, visible or not; `fresh` bypasses a kept catalog, and skills that were just opened are not read again. */
  catalog(options?: { readonly fresh?: boolean } & Pick<Discovery, 'opened'>): Promise<SkillCatalog>;
  /** The catalog without the skills hidden from the actor, and those skills. */
  view(catalog: SkillCatalog): Promise<{ visible: SkillCatalog; hidden: HiddenRecord[] }>;
  /**
   * Directories of the skills whose text the actor may not read now. A search must not rank or quote that text: a hit would
   * reveal it.
   */
  sealed(skills: readonly SkillRecord[]): Promise<ReadonlySet<string>>;
  /** Directories of skills inside the skill at `dir` that its code must not see. `manifests` are their SKILL.md files. */
  fencedIn(dir: string, manifests: readonly string[]): Promise<readonly string[]>;
  /** The same skills for another actor, who is asked for confirmations in another way. */
  as(by: Actor, confirm: AccessOptions['confirm']): Access;
}

/** Operations that need the source, which a stub alone cannot serve. */
const needsSource: ReadonlySet<Operation> = new Set(['read', 'run', 'invoke']);

/** Opens the skills of a workspace for an actor. */
export function createAccess(options: AccessOptions): Access {
  const { workspace, by: actor, memory, law, policy = 'ambiguous' } = options;
  const judge = createJudge(law ?? workspace, memory);
  let known: Promise<SkillCatalog> | undefined;
  const catalog: Access['catalog'] = ({ fresh = false, opened } = {}) => {
    if (fresh && options.catalog !== undefined) known = undefined;
    known ??= options.catalog?.({ fresh }) ?? loadWhole(workspace, { opened });
    return known;
  };

  const hides: Access['hides'] = async ({ operation, by = actor }) => {
    const place = {
      law: law ?? { rules: await workspace.rules(), off: workspace.off },
      enclosing: judge.enclosing,
    };
    const { standingWithin } = await import('../../skill/judge/within.ts');
    return (record) => {
      const standing = standingWithin(record, { operation, by }, place);
      return 'reason' in standing ? standing.reason : undefined;
    };
  };

  /** Throws unless the judge allows it. Leaves the skill's own gate to `reach`, except where the whole skill is needed. */
  const admit = async (
    skill: Judged,
    { operation, by = actor, author, confirmed, runs }: AccessQuestion,
    { exceptGate, word }: { readonly exceptGate: boolean; readonly word?: string },
  ): Promise<Diagnostic[]> => {
    const confirmations = options.confirmations ?? askEachTime(options.confirm);
    const warnings: Diagnostic[] = [];
    for (;;) {
      const question = { operation, by, confirmed: confirmations.has };
      const verdict = await judge.judge(skill, question, { author, exceptGate });
      if (verdict.verdict === 'allow') return warnings;
      if (verdict.verdict !== 'ask') throw refusalOf(verdict, word);
      if (verdict.tool === 'skill_run') await runs?.(skill.dir);
      if (confirmed === true) confirmations.add(verdict.skill, verdict.tool);
      else warnings.push(...(await confirmations.ask(verdict)));
    }
  };

  const reachOf =
    (skill: Pick<Judged, 'dir'>, { operation, by = actor, author }: AccessQuestion) =>
    (files: Iterable<string>, digest?: string) =>
      findReach(judge, skill, { files, question: { operation, by }, author, digest });

  /** With what a catalog would know: whether its requirements are met. */
  const judgedHere = async (skill: Skill): Promise<Skill & Judged> => {
    const { availabilityIn } = await import('../catalog/make-record.ts');
    return { ...skill, ...(await availabilityIn(skill.frontmatter, workspace.env)) };
  };

  const openLocated = async (
    skill: LocatedSkill,
    word: string,
    { listing, ...question }: AccessQuestion & Pick<KnownPlace, 'listing'>,
  ): Promise<OpenedSkill> => {
    const { dir } = skill;
    const reach = reachOf(skill, question);
    let known: Promise<Skill> | undefined;
    const read = () => {
      known ??= openFrom(dir, { real: dir, listing });
      return known;
    };
    let place: Promise<string> | undefined;
    const runtime = () => {
      place ??= findRuntimeOf({ ...skill, read }, workspace);
      return place;
    };
    const opened = { ...skill, word, read, runtime, reach };
    if (options.accessed !== undefined) {
      // The log needs it; a skill without one cannot be read either.
      options.accessed(opened, await runtime());
    }
    const { by = actor, operation } = question;
    const isWhole = operation === 'run';
    const isFree = by === 'user' && workspace.off.names.length === 0 && judge.enclosing(dir).length === 0;
    // Nothing to judge, so its file need not be read.
    if (isFree && !isWhole && (await workspace.rules()) === noPermissions) return opened;
    await admit(await judgedHere(await read()), question, { exceptGate: !isWhole, word });
    return opened;
  };

  const isVisible = async (dir: string): Promise<boolean> => {
    if (actor === 'user') return true;
    const { tryOpen } = await import('../../skill/judge/within.ts');
    const skill = tryOpen(dir);
    const question = { operation: 'list', by: actor } as const;
    return skill !== undefined && (await judge.judge(await judgedHere(skill), question)).verdict === 'allow';
  };

  const find: Access['find'] = async (reference, question) => {
    const { cwd, home } = workspace;
    const hidden = question === undefined ? () => undefined : await hides(question);
    return findRecord(await catalog(), reference, { cwd, home, policy, hidden });
  };

  const sealed: Access['sealed'] = async (skills) => {
    const { rules, off } = law ?? { rules: await workspace.rules(), off: workspace.off };
    const isRuled = rules !== noPermissions || off.names.length > 0;
    const found = new Set<string>();
    for (const record of skills) {
      const { dir, gated, enabled } = record;
      // Nothing to judge, as for most skills.
      if (!gated && enabled && !isRuled && judge.enclosing(dir).length === 0) continue;
      try {
        const question = { operation: 'read', by: actor, confirmed: options.confirmations?.has } as const;
        if ((await judge.judge(record, question)).verdict !== 'allow') found.add(dir);
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        found.add(dir);
      }
    }
    return found;
  };

  const fencedIn: Access['fencedIn'] = async (dir, files) =>
    (await reachOf({ dir }, { operation: 'run' })(files)).fenced;

  return {
    workspace,
    by: actor,
    fencedIn,
    judge,
    catalog,
    hides,
    sealed,
    isVisible,
    find,
    as: (by, confirm) => createAccess({ ...options, by, confirm, confirmations: undefined }),
    async open(word, question) {
      let hidden: ((record: SkillRecord) => Reason | undefined) | undefined;
      const { dir, scope, gone } = await resolveSkill(word, workspace, {
        async catalog(how: { fresh: boolean }) {
          hidden = await hides({ operation: 'list' });
          return catalog(how);
        },
        // A missing name may have appeared since.
        mayBeOld: options.catalog !== undefined,
        isHidden: (record: SkillRecord) => hidden?.(record) !== undefined,
        isVisible,
      });
      const opened = await openLocated({ dir: canonicalPath(dir), scope }, word, question);
      // A stub contains nothing of the skill to read or run.
      if (gone !== undefined && needsSource.has(question.operation)) throw sourceGone(word, gone);
      return opened;
    },
    openAt: (dir, question, { real = canonicalPath(dir), listing } = {}) =>
      openLocated({ dir: real, scope: undefined }, basename(dir), { ...question, listing }),
    async openListed(reference, question) {
      const found = await find(reference, question);
      const skill = await openRecord(found.record);
      const { id, name, path } = found.record;
      // Judged as it is now, and by what the catalog found out about it.
      const judged = { ...found.record, frontmatter: skill.frontmatter };
      const warnings = await admit(judged, question, { exceptGate: true });
      const operation = question.operation === 'run' ? 'run' : 'read';
      const reach = reachOf(skill, { ...question, operation });
      return { ...skill, id, name, path, ...found, warnings, reach };
    },
    async view(whole) {
      const reason = await hides({ operation: 'list' });
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

/** Confirmations that hold for one request. */
function askEachTime(confirm: AccessOptions['confirm']): Confirmations {
  const confirmed = new Set<string>();
  const keyOf = ({ dir }: Pick<Judged, 'dir'>, tool: GuardedTool) => `${dir}\0${tool}`;
  const add: Confirmations['add'] = (skill, tool) => void confirmed.add(keyOf(skill, tool));
  return {
    has: (skill, tool) => confirmed.has(keyOf(skill, tool)),
    add,
    async ask(verdict) {
      const { skill, tool } = verdict;
      if ((await confirm?.({ skill, tool })) !== true) throw unconfirmed(verdict);
      add(skill, tool);
      return [];
    },
  };
}

async function loadWhole(workspace: Workspace, discovery: Discovery): Promise<SkillCatalog> {
  const { loadCatalog } = await import('../catalog/load-catalog.ts');
  return loadCatalog(workspace, discovery);
}

/** Opens the skill of a record as it is now. E001 when it is gone; E012, E014, E015 when it cannot be used. */
export async function openRecord(record: SkillRecord): Promise<Skill> {
  let skill: Skill | undefined;
  try {
    skill = await openFrom(record.dir);
  } catch (error) {
    const isGone = error instanceof SkillwrightError && (error.code === 'E010' || error.cause !== undefined);
    if (!isGone) throw error;
  }
  // A directory that became a link since it was listed is a different skill, even with the same name.
  if (skill === undefined || skill.dir !== record.dir) {
    const help = 'it was removed after it was listed';
    const data = { reason: 'vanished', path: record.path };
    throw SkillwrightError.of('E001', { skill: record.name }, { help, data });
  }
  if (skill.parts.data === undefined || skill.problem?.code === 'E015') throw skill.problem;
  return skill;
}

let opening: Promise<typeof import('../../skill/skill/open-skill.ts')> | undefined;

async function openFrom(dir: string, known?: KnownPlace): Promise<Skill> {
  // Asked for once: an import takes longer than opening a small skill.
  opening ??= import('../../skill/skill/open-skill.ts');
  return (await opening).openSkill(dir, known);
}

/** A directory, and the skill in it if somebody opened it. */
type ReadableSkill = LocatedSkill & Partial<Pick<OpenedSkill, 'read'>>;

/**
 * The directory of a skill's index and log: its runtime directory, usually named like the skill's directory, otherwise by
 * its frontmatter. For a skill that skc neither manages nor has built, a place in the user's cache.
 */
export async function findRuntimeOf(skill: ReadableSkill, workspace: Workspace): Promise<string> {
  const indexFile = indexFileName(skill.dir);
  const place = readingPlace(skill, indexFile, workspace);
  // A build removes the index there.
  if (existsSync(join(place, OWN_DIRECTORY, indexFile))) return place;
  const named = findRuntime(skill, { name: basename(skill.dir), indexFile, workspace });
  return named ?? runtimeByName(skill, workspace);
}

/** The name in the frontmatter may change while the directory keeps its name; the old index would then stay stale. */
export async function runtimeByName(skill: ReadableSkill, workspace: Workspace): Promise<string> {
  const { name } = await (skill.read?.() ?? openFrom(skill.dir));
  const indexFile = indexFileName(skill.dir);
  const found = findRuntime(skill, { name, indexFile, workspace });
  if (found !== undefined) return found;
  if (isStored(skill)) return join(runtimeBaseOf(skill, workspace).dir, name);
  return readingPlace(skill, indexFile, workspace);
}
