// The store that a command changes: the project's or the user's.

import { join } from 'node:path';
import { type Diagnostic, SkillwrightError } from '../../base/diagnostics/index.ts';
import { resolveTargets, type Target } from '../../skill/agents/index.ts';
import {
  checkInside,
  findProject,
  leadsOut,
  type StorePaths,
  type StoreScope,
  storePaths,
} from '../../skill/places/index.ts';
import type { LockTarget } from './lock.ts';

/** What installing knows of the world; the context of a command is one. */
export interface InstallContext {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  now(): Date;
  report(diagnostic: Diagnostic): void;
  note(text: string): void;
  progress(text: string): void;
  /** Called before every change to the disk that a transaction makes, with what it is. */
  readonly step?: ((what: string) => void) | undefined;
  /** Lets git read repositories from the disk (`git+file:`). Nothing a user types or configures turns it on. */
  readonly gitFromDisk?: boolean | undefined;
  /** Absent where there is nobody to ask. */
  readonly ask?:
    | {
        choose(
          question: string,
          choices: readonly { readonly label: string; readonly note?: string | undefined }[],
          options?: { readonly many?: boolean },
        ): Promise<readonly number[] | undefined>;
        confirm(question: string): Promise<boolean>;
      }
    | undefined;
}

/** Where skills of one scope are installed. */
export interface InstallPlace {
  readonly scope: StoreScope;
  /** The project or the home directory. */
  readonly base: string;
  /** Undefined for the user's. */
  readonly project: string | undefined;
  readonly home: string;
  readonly store: StorePaths;
  /** Where transactions are prepared and written down. */
  readonly work: string;
}

/** The place of a scope; without one the project's inside a project, else the user's. E100 outside a project. */
export function placeOf(
  scope: StoreScope | undefined,
  { cwd, home }: Pick<InstallContext, 'cwd' | 'home'>,
): InstallPlace {
  const project = scope === 'user' ? undefined : findProject(cwd, home);
  if (scope === 'project' && project === undefined) {
    throw SkillwrightError.of(
      'E100',
      { why: 'not inside a project' },
      { help: "run 'skc init' first, or use --scope user" },
    );
  }
  const base = project ?? home;
  const store = storePaths(base);
  const place = { scope: project === undefined ? 'user' : 'project', base, project, home, store } as const;
  return { ...place, work: join(store.root, '.install') };
}

/** The places commands look at when no scope is given: the project's, where there is one, and the user's. */
export function placesInSight(
  scope: StoreScope | undefined,
  context: Pick<InstallContext, 'cwd' | 'home'>,
): InstallPlace[] {
  if (scope !== undefined) return [placeOf(scope, context)];
  const project = findProject(context.cwd, context.home);
  return [...(project === undefined ? [] : [placeOf('project', context)]), placeOf('user', context)];
}

/** A target of the lock, and the directory that receives skills there. */
export interface PlacedTarget extends LockTarget {
  /** Absolute. */
  readonly dir: string;
}

/**
 * The directories of targets. E100 for an agent nobody knows; E016 for a directory of a project that really lies
 * somewhere else, as a link in a stranger's repository could have it.
 */
export function placeTargets(
  targets: readonly LockTarget[],
  place: InstallPlace,
  context: Pick<InstallContext, 'env'>,
): PlacedTarget[] {
  const { base, home, project } = place;
  return targets.flatMap(({ agent, method }) => {
    if (agent.startsWith('~/') && project !== undefined) throw leadsOut(agent);
    const found: Target[] = resolveTargets([agent], { cwd: base, home, env: context.env }, project);
    return found.map(({ dir }) => {
      if (project !== undefined) checkInside(project, dir);
      return { agent, method, dir };
    });
  });
}
