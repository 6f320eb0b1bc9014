// The store that a command changes: the project's or the user's, its checks before anything is written there, and the
// directories of its targets. A third-party project may contain planted links, pipes and journals.

import { join } from 'node:path';
import { attempt, catchCoded, type Diagnostic, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  isInside,
  isPathLike,
  realPath,
  realPathAhead,
  statusAt,
} from '../../../base/files/index.ts';
import { confirmTargets, previewDeployments } from '../../../make/compile/index.ts';
import { isAgentTarget, resolveTargets } from '../../../skill/agents/index.ts';
import { type DeployForm, spellSourcePath } from '../../../skill/skill/index.ts';
import {
  checkInside,
  leadsOut,
  type Store,
  type StoreScope,
  type Workspace,
} from '../../../skill/workspace/index.ts';
import type { LockTarget } from '../lock/lock.ts';

/** Environment for installing; a command's context is one. */
export interface InstallContext {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  now(): Date;
  report(diagnostic: Diagnostic): void;
  note(text: string): void;
  progress(text: string): void;
  /** Called before every disk change of a transaction with its name. */
  readonly step?: ((what: string) => void) | undefined;
  /** Absent when there is nobody to ask. */
  readonly ask?:
    | {
        choose(
          question: string,
          choices: readonly { readonly label: string; readonly note?: string | undefined }[],
          options?: { readonly many?: boolean },
        ): Promise<readonly number[] | undefined>;
        /** Absent when there is no screen for a list. */
        readonly pick?:
          | ((
              question: string,
              choices: readonly {
                readonly label: string;
                readonly description: string;
                facts(): readonly string[];
              }[],
            ) => Promise<readonly number[] | undefined>)
          | undefined;
        confirm(question: string): Promise<boolean>;
      }
    | undefined;
}

/** Destination of the skills of one scope. */
export interface InstallPlace {
  readonly scope: StoreScope;
  /** The project or the home directory. */
  readonly base: string;
  /** Undefined for the user's. */
  readonly project: string | undefined;
  readonly home: string;
  readonly store: Store;
  /** Directory where transactions are prepared and journalled. */
  readonly work: string;
  /**
   * The directories of targets, each found and checked once. E100 for an unknown agent; E016 for a project directory that
   * is really outside, for example through a link in a third-party repository.
   */
  readonly targets: (targets: readonly LockTarget[]) => PlacedTarget[];
}

/** The place of a scope; without one the project's inside a project, else the user's. E100 outside a project. */
export function placeOf(
  scope: StoreScope | undefined,
  { workspace }: Pick<InstallContext, 'workspace'>,
): InstallPlace {
  return placeAt(workspace.store(scope), workspace);
}

/** The place of a store. Nothing about its targets is known yet. */
export function placeAt(store: Store, { home, env }: Workspace): InstallPlace {
  const { scope, base, root } = store;
  const project = scope === 'user' ? undefined : base;
  const known = new Map<string, readonly Omit<PlacedTarget, keyof LockTarget>[]>();
  const find = (agent: string) => {
    if (agent.startsWith('~/') && project !== undefined) throw leadsOut(agent);
    return resolveTargets([agent], { cwd: base, home, env }, project).map(({ dir }) => {
      const isAgent = project === undefined || isAgentTarget(project, dir);
      return { dir, isAgent, real: attempt(() => realPathAhead(dir)) };
    });
  };
  const targets = (wanted: readonly LockTarget[]) =>
    wanted.flatMap((target) => {
      const found = known.get(target.agent) ?? find(target.agent);
      known.set(target.agent, found);
      return found.map((dirs) => ({ ...target, ...dirs }));
    });
  return { scope, base, project, home, store, work: join(root, '.install'), targets };
}

/** The places commands read without a scope: the project's, if there is one, and the user's. */
export function placesInSight(
  scope: StoreScope | undefined,
  { workspace }: Pick<InstallContext, 'workspace'>,
): InstallPlace[] {
  const stores = scope === undefined ? workspace.stores : [workspace.store(scope)];
  return stores.map((store) => placeAt(store, workspace));
}

/** A target of the lock, and the directory that receives skills there. */
export interface PlacedTarget extends LockTarget {
  /** Absolute. */
  readonly dir: string;
  /** Whether agents use it; the user confirms any other directory of a project. */
  readonly isAgent: boolean;
  /** With links resolved, as far as it exists; undefined when one leads nowhere. */
  readonly real: string | undefined;
}

/** The runtime directory of an installed skill, and its recorded source. */
export function runtimeOf(
  name: string,
  place: InstallPlace,
): { dir: string; name: string; source: string; isOwner: true } {
  return {
    dir: join(place.store.runtime, name),
    name,
    source: join(realPath(place.store.skills), name),
    isOwner: true,
  };
}

/** E016 when the directories of a place point outside its project, or something else is in the way of skc's own files. */
export function checkPlace(place: InstallPlace): void {
  const { project, store, work } = place;
  if (project !== undefined)
    for (const path of [work, store.skills, store.runtime]) checkInside(project, path);
  checkDirectory(work);
  const file = join(work, 'lock');
  const status = statusAt(file);
  // Opening a pipe would block for ever, and opening a link could create a file elsewhere. A file with content would be
  // a foreign database, and SQLite would replay the journal next to it.
  if (status !== undefined && !(status.isFile() && status.size === 0))
    throw refusePlace(file, 'it is not an empty file');
}

/** E016 when a transaction's own directories are links: moves through them would leave the place. */
export function checkTransaction(place: InstallPlace, id: string): void {
  const directory = join(place.work, id);
  for (const path of [directory, join(directory, 'new'), join(directory, 'old')]) checkDirectory(path);
}

function checkDirectory(path: string): void {
  const status = statusAt(path);
  if (status?.isSymbolicLink()) throw refusePlace(path, 'it is a link');
  if (status?.isDirectory() === false) throw refusePlace(path, 'it is not a directory');
}

function refusePlace(path: string, why: string): SkillwrightError {
  const help = 'skc did not make it; check it, then move it away';
  return SkillwrightError.of('E016', { path, why }, { help });
}

/** The targets for these values. E100 for an unknown agent, or for a directory that other machines would not have. */
export function readTargets(
  words: readonly string[],
  options: { place: InstallPlace; context: InstallContext; copy: boolean },
): LockTarget[] {
  const { place, context, copy } = options;
  const method = copy ? 'copy' : 'link';
  const single = words.flatMap((list) => list.split(',')).map((word) => word.trim());
  return single.flatMap((word) =>
    resolveTargets([word], context.workspace, place.project).map(({ id, dir }) => ({
      agent: isPathLike(word) ? spellDirectory(dir, place) : id,
      method,
    })),
  );
}

function spellDirectory(dir: string, { base, project, home }: InstallPlace): string {
  if (isInside(base, dir) && dir !== base) return spellSourcePath(dir, { project, home });
  const where = project === undefined ? 'the home directory' : 'the project';
  throw SkillwrightError.of(
    'E100',
    { why: `the target ${dir} is outside ${where}` },
    { help: `the lock can only name directories below ${where}, so that it works on every machine` },
  );
}

/** Both lists; for an agent in both the second decides the form. */
export function joinTargets(known: readonly LockTarget[], added: readonly LockTarget[]): LockTarget[] {
  const all = new Map([...known, ...added].map((target) => [target.agent, target]));
  return [...all.values()].sort((a, b) => compareBytes(a.agent, b.agent));
}

/**
 * Checks the targets of a skill before anything is placed. E013 when something that skc did not make is in the way; E019 for
 * the runtime directory; E222 for a directory that the project chose and the user has not confirmed.
 */
export async function checkTargets(
  name: string,
  targets: readonly LockTarget[],
  options: {
    place: InstallPlace;
    context: InstallContext;
    force: boolean;
    /** Targets that the user named, which confirms them. */
    named?: readonly LockTarget[];
  },
): Promise<void> {
  const { place, context, force, named = [] } = options;
  const { workspace, ask } = context;
  const { dir: runtimeDir, source } = runtimeOf(name, place);
  const { home, project } = place;
  const now = context.now();
  const common = { name, source, runtimeDir, home, project, force, now, platform: process.platform };
  const placed = place.targets(targets);
  const isNamed = ({ agent }: LockTarget) => named.some((target) => target.agent === agent);
  const others = placed.filter((target) => !target.isAgent && !isNamed(target)).map(({ dir }) => dir);
  if (project !== undefined && others.length > 0) await confirmTargets(others, { project, workspace, ask });
  for (const { agent, dir, real, method } of placed) {
    const check = (form: DeployForm) =>
      previewDeployments([{ id: agent, dir, real }], { ...common, form, copy: method === 'copy' });
    // The form is not known yet. Check for a stub, which conflicts with the most, except for a link to the skill itself:
    // a clone contains that when the skill is deployed whole.
    catchCoded(
      () => check('stub'),
      (error) => {
        if (attempt(() => check('whole')) === undefined) throw error;
      },
    );
  }
}
