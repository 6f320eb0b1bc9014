// The store that a command changes: the project's or the user's.

import { join } from 'node:path';
import type { Diagnostic } from '../../../base/diagnostics/index.ts';
import { resolveTargets, type Target } from '../../../skill/agents/index.ts';
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
}

/** The place of a scope; without one the project's inside a project, else the user's. E100 outside a project. */
export function placeOf(
  scope: StoreScope | undefined,
  { workspace }: Pick<InstallContext, 'workspace'>,
): InstallPlace {
  return placeAt(workspace.store(scope), workspace);
}

function placeAt(store: Store, { home }: Workspace): InstallPlace {
  const { scope, base, root } = store;
  return {
    scope,
    base,
    project: scope === 'user' ? undefined : base,
    home,
    store,
    work: join(root, '.install'),
  };
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
}

/**
 * The directories of targets. E100 for an unknown agent; E016 for a project directory that is really outside, for
 * example through a link in a third-party repository.
 */
export function placeTargets(
  targets: readonly LockTarget[],
  place: InstallPlace,
  { workspace }: Pick<InstallContext, 'workspace'>,
): PlacedTarget[] {
  const { base, home, project } = place;
  return targets.flatMap(({ agent, method }) => {
    if (agent.startsWith('~/') && project !== undefined) throw leadsOut(agent);
    const found: Target[] = resolveTargets([agent], { cwd: base, home, env: workspace.env }, project);
    return found.map(({ dir }) => {
      if (project !== undefined) checkInside(project, dir);
      return { agent, method, dir };
    });
  });
}
