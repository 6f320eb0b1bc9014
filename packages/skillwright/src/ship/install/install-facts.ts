// What is known of installed skills without asking anybody: the locks, and what was remembered.

import { join } from 'node:path';
import { hideSecrets, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { StoreScope, Workspace } from '../../skill/workspace/index.ts';
import { type RememberedVerdict, readVerdicts } from './gate/verdict-memory.ts';
import { entryOf, type Lock, type LockedSkill, type LockTarget, readLock } from './lock/lock.ts';
import type { SourceNotice } from './source/fetched-source.ts';
import { readNews } from './source/source-news.ts';

/** How a skill was installed. */
export interface InstallFacts {
  readonly source: string;
  /** Where it is inside the source. */
  readonly path: string;
  readonly version: string | null;
  readonly commit: string | null;
  readonly digest: string;
  readonly pinned: boolean;
  readonly installed_at: string;
  readonly agents: readonly LockTarget[];
  /** Files with edits that an update kept. */
  readonly edits: readonly string[];
  /** What the scan came to when it was installed; null when that is not known any more. */
  readonly verdict: RememberedVerdict | null;
  /** What the source had when it was last asked; null when that was nothing newer, or never. */
  readonly update: {
    readonly wanted: string;
    readonly latest: string | null;
    readonly checked_at: string;
  } | null;
  readonly notices: readonly SourceNotice[];
}

/** The facts of one installed skill, with its entry in the lock. */
export interface InstalledEntry {
  readonly entry: LockedSkill;
  readonly facts: InstallFacts;
}

/** Looks skills up by the scope and the directory of their source; undefined for what was not installed. */
export function readInstallFacts(
  workspace: Workspace,
): (scope: StoreScope, dir: string, name: string) => InstalledEntry | undefined {
  const news = readNews(workspace);
  const verdictOf = readVerdicts(workspace);
  const locks = new Map(workspace.stores.map((store) => [store.scope, { store, lock: lockAt(store.lock) }]));
  return (scope, dir, name) => {
    const found = locks.get(scope);
    if (found === undefined || dir !== join(found.store.skills, name)) return undefined;
    const entry = entryOf(found.lock, name);
    if (entry === undefined) return undefined;
    const heard = news.of({ lock: found.store.lock, name, entry });
    const { wanted = null, latest = null, checked_at = '' } = heard ?? {};
    const { version = null, commit = null } = entry.resolution;
    return {
      entry,
      facts: {
        source: hideSecrets(entry.source),
        path: entry.path,
        version,
        commit,
        digest: entry.digest,
        pinned: entry.pinned,
        installed_at: entry.installed_at,
        agents: entry.targets,
        edits: Object.keys(entry.edits).sort(),
        verdict: verdictOf(entry.digest) ?? null,
        update: wanted === null ? null : { wanted, latest, checked_at },
        notices: heard?.notices ?? [],
      },
    };
  };
}

/** A lock that cannot be used hides no skill: verify and doctor say what is wrong with it. */
function lockAt(path: string): Lock {
  try {
    return readLock(path).lock;
  } catch (error) {
    if (error instanceof SkillwrightError) return { skills: {} };
    throw error;
  }
}
