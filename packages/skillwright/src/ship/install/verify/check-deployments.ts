// Checks whether agents find an installed skill: its compiled form, and the links and copies in the lock.

import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { realPath, statusAt } from '../../../base/files/index.ts';
import { isCurrentCopy, isDeploymentOf, isPristineCopy } from '../../../make/compile/index.ts';
import { indexPath, isOwnIndex } from '../../../read/index/index.ts';
import { buildRecord, hasSkillFile, readBuildManifest } from '../../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../../skill/workspace/index.ts';
import type { LockedSkill, LockTarget } from '../lock/lock.ts';
import { runtimeOf } from '../place/derive-skill.ts';
import {
  type InstallContext,
  type InstallPlace,
  type PlacedTarget,
  placeTargets,
} from '../place/install-place.ts';

/** Status of one deployment. */
type DeploymentState =
  | 'ok'
  /** Missing. */
  | 'missing'
  /** A broken link. */
  | 'broken'
  /** Something else is there: another skill's link, or a directory skc did not make. */
  | 'foreign'
  /** Our copy, but not of the current compiled form, or a copy where a link should be. */
  | 'changed'
  /** A target that cannot be used here. */
  | 'unusable';

/** One deployment of an installed skill. */
export interface CheckedDeployment {
  readonly agent: string;
  readonly method: LockTarget['method'];
  /** Null when the target cannot be used. */
  readonly path: string | null;
  readonly state: DeploymentState;
}

/** Every deployment the lock names. Total. */
export function checkDeployments(
  name: string,
  entry: Pick<LockedSkill, 'targets'>,
  { place, context }: { place: InstallPlace; context: Pick<InstallContext, 'workspace'> },
): CheckedDeployment[] {
  return entry.targets.flatMap((target): CheckedDeployment[] => {
    try {
      return placeTargets([target], place, context).map((placed) => ({
        agent: target.agent,
        method: target.method,
        path: join(placed.dir, name),
        state: stateOf(placed, name, place),
      }));
    } catch (error) {
      if (error instanceof SkillwrightError) return [{ ...target, path: null, state: 'unusable' }];
      throw error;
    }
  });
}

/** Status of the compiled form. */
export type RuntimeState =
  | 'ok'
  | 'missing'
  /** Made from other files. */
  | 'stale'
  /** Its stub or its index was changed. */
  | 'damaged';

/** Checks that the compiled form exists, is as skc wrote it, and was made from files with this hash. */
export function checkRuntime(name: string, sourceHash: string, place: InstallPlace): RuntimeState {
  const runtime = runtimeOf(name, place);
  const record = buildRecord(place.home);
  const isOurs = record.runtime(runtime.dir) !== undefined;
  const manifest = isOurs ? readBuildManifest(runtime.dir) : undefined;
  if (manifest === undefined || !hasSkillFile(runtime.dir)) return 'missing';
  if (manifest.source_hash !== sourceHash) return 'stale';
  const index = indexPath(join(runtime.dir, OWN_DIRECTORY), runtime.source);
  return record.sourceOf(runtime.dir) !== undefined && isOwnIndex(index, record) ? 'ok' : 'damaged';
}

function stateOf({ dir, method }: PlacedTarget, name: string, place: InstallPlace): DeploymentState {
  const path = join(dir, name);
  const status = statusAt(path);
  if (status === undefined) return 'missing';
  const runtime = runtimeOf(name, place);
  const isOurs = isDeploymentOf(runtime, path, place.home);
  if (status.isSymbolicLink()) {
    if (!leadsSomewhere(path)) return 'broken';
    if (!isOurs) return 'foreign';
    return method === 'link' && leadsRight(path, runtime) ? 'ok' : 'changed';
  }
  if (!isOurs) return 'foreign';
  return isPristineCopy(path) && isCurrentCopy(path, runtime.dir) ? 'ok' : 'changed';
}

/** A skill deployed whole is linked itself, any other through its runtime directory. */
function leadsRight(link: string, { dir, source }: { dir: string; source: string }): boolean {
  const isWhole = readBuildManifest(dir)?.form === 'whole';
  return realPath(link) === realPath(isWhole ? source : dir);
}

function leadsSomewhere(link: string): boolean {
  try {
    realpathSync.native(resolve(dirname(link), readlinkSync(link)));
    return true;
  } catch {
    return false;
  }
}
