// Offline facts about installed skills: from the locks and from caches.

import { join } from 'node:path';
import { catchCoded, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { ReviewedFinding } from '../../guard/scan/index.ts';
import type { StoreScope, Workspace } from '../../skill/workspace/index.ts';
import type { InstallFacts } from '../results/index.ts';
import { entryOf, type Lock, type LockedSkill, readLock } from './lock/lock.ts';
import { readNews } from './place/remembered.ts';
import { describeSource } from './source/locked-source.ts';

/** The facts of one installed skill, with its lock entry. */
export interface InstalledEntry {
  readonly entry: LockedSkill;
  readonly facts: InstallFacts;
}

/** Looks up skills by scope and source directory; undefined for skills that were not installed. */
export function readInstallFacts(
  workspace: Workspace,
  read: StoreLocks = readStoreLocks(workspace),
): (scope: StoreScope, dir: string, name: string) => InstalledEntry | undefined {
  const news = readNews(workspace);
  const locks = new Map(
    workspace.stores.map((store) => {
      const lock = read.get(store.scope);
      // An unusable lock hides no skill: verify and doctor report it.
      return [store.scope, { store, lock: lock instanceof SkillwrightError ? undefined : lock }];
    }),
  );
  return (scope, dir, name) => {
    const found = locks.get(scope);
    if (found === undefined || dir !== join(found.store.skills, name)) return undefined;
    const entry = found.lock && entryOf(found.lock, name);
    if (entry === undefined) return undefined;
    const skill = { lock: found.store.lock, name, entry };
    const heard = news.of(skill);
    const { wanted = null, latest = null, checked_at = '' } = heard ?? {};
    const { version = null, commit = null } = entry.resolution;
    return {
      entry,
      facts: {
        ...describeSource(entry.source),
        path: entry.path,
        version,
        commit,
        digest: entry.digest,
        pinned: entry.pinned,
        installed_at: entry.installed_at,
        agents: entry.targets,
        edits: Object.keys(entry.edits).sort(),
        verdict: news.verdictOf(skill) ?? null,
        update: wanted === null ? null : { wanted, latest, checked_at },
        notices: heard?.notices ?? [],
        checked_at: heard?.checked_at ?? null,
      },
    };
  };
}

/** The locks of the stores, or why one cannot be used. */
export type StoreLocks = ReadonlyMap<StoreScope, Lock | SkillwrightError>;

/** Reads the locks of a workspace's stores. */
export function readStoreLocks({ stores }: Workspace): StoreLocks {
  return new Map<StoreScope, Lock | SkillwrightError>(
    stores.map(({ scope, lock }) => [
      scope,
      catchCoded(
        () => readLock(lock).lock,
        (error) => error,
      ),
    ]),
  );
}

/** Findings the project's lock accepts, as reviews. E211 when the lock cannot be used. */
export function acceptedInLock(
  workspace: Workspace,
  locks: StoreLocks = readStoreLocks(workspace),
): ReviewedFinding[] {
  const lock = locks.get('project');
  if (lock === undefined) return [];
  if (lock instanceof SkillwrightError) throw lock;
  return Object.entries(lock.skills).flatMap(([skill, { accepted }]) =>
    accepted.map(({ finding, rule, file, digest, by, reason, at }) => ({
      id: finding,
      rule,
      skill,
      file,
      digest,
      by,
      why: reason,
      at,
    })),
  );
}
