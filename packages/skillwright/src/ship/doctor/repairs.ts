// Repairs, with the functions that build, install and clean use.

import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  discardTemporary,
  isMissing,
  removePath,
  renamePath,
  statusAt,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { buildSkill, deploy, hideNested, isPristineCopy } from '../../make/compile/index.ts';
import { readBuildManifest } from '../../skill/skill/index.ts';
import { checkInside } from '../../skill/workspace/index.ts';
import {
  type CheckedDeployment,
  changePlace,
  checkDeployments,
  clearLocked,
  entryOf,
  noConsent,
  openGate,
  rememberedNotices,
  restoreSkills,
} from '../install/index.ts';
import type { Repair } from './check.ts';
import type { StoreEntry, Survey } from './survey.ts';

/** Compiles the source of a skill again. */
export function recompile(skill: StoreEntry, survey: Survey): Repair {
  const { place, runtime, sourcePath } = skill;
  const { context, config } = survey;
  return {
    key: `compile ${runtime.dir}`,
    run: async () => {
      if (place.project !== undefined) checkInside(place.project, place.store.runtime);
      const hides = await hideNested(context.workspace);
      buildSkill(sourcePath, {
        base: { dir: place.store.runtime, project: place.project },
        home: place.home,
        tokenizer: config.search.tokenizer,
        force: false,
        now: context.now(),
        hides,
        configured: config.build.deploy,
      });
    },
  };
}

/** Deploys the existing build, which an earlier repair has updated if necessary. */
function deployTo(path: string, skill: StoreEntry, options: { copy: boolean; now: Date }): void {
  const { name, source, place, runtime } = skill;
  const manifest = readBuildManifest(runtime.dir);
  if (source === undefined || manifest === undefined) return;
  const { home, project } = place;
  deploy([{ id: path, dir: dirname(path) }], {
    ...options,
    name,
    source,
    home,
    project,
    form: manifest.form ?? 'stub',
    runtimeDir: runtime.dir,
    force: false,
    platform: process.platform,
  });
}

/** True for a deployment that can be repeated without losing foreign files. */
export function isRepairable({ path, state }: CheckedDeployment): boolean {
  if (path === null) return false;
  if (state === 'missing' || state === 'broken') return true;
  if (state !== 'changed') return false;
  return statusAt(path)?.isSymbolicLink() === true || isPristineCopy(path);
}

/** Deploys an installed skill again where the lock says, unless another process has done so. */
export function redeploy(skill: StoreEntry, deployment: CheckedDeployment, survey: Survey): Repair {
  const { context } = survey;
  const { name, place } = skill;
  return {
    key: `deploy ${deployment.path}`,
    run: () =>
      changePlace(place, context, {
        async work(locked) {
          const entry = entryOf(locked.locks().lock, name);
          if (entry === undefined) return;
          const notices = rememberedNotices(context.workspace)({ name, place, entry });
          await clearLocked(name, entry, { gate: openGate(noConsent, context), place, notices });
          const targets = entry.targets.filter(({ agent }) => agent === deployment.agent);
          for (const now of checkDeployments(name, { targets }, place)) {
            if (now.path !== null && isRepairable(now))
              deployTo(now.path, skill, { copy: now.method === 'copy', now: context.now() });
          }
        },
      }),
  };
}

/** Replaces a copy that is unchanged since skc made it. */
export function recopy(skill: StoreEntry, path: string, { context }: Survey): Repair {
  return {
    key: `deploy ${path}`,
    run: () => {
      if (isPristineCopy(path)) deployTo(path, skill, { copy: true, now: context.now() });
    },
  };
}

/** Restores an installed skill from the lock. */
export function restore({ name, place }: StoreEntry, { context }: Survey): Repair {
  return {
    key: `restore ${join(place.store.skills, name)}`,
    run: async () => {
      await restoreSkills(
        {
          scope: place.scope,
          skills: [name],
          offline: false,
          force: false,
          ...noConsent,
          dryRun: false,
        },
        context,
      );
    },
  };
}

/** Removes a link if it is still the same and broken. It is moved aside first, so that no other process can change it. */
export function removeLink(path: string, written: string): Repair {
  return {
    key: `unlink ${path}`,
    run: () => {
      const aside = temporaryBeside(path);
      try {
        if (!lstatSync(path).isSymbolicLink() || readlinkSync(path) !== written) return;
        renamePath(path, aside);
        const isSame = lstatSync(aside).isSymbolicLink() && readlinkSync(aside) === written;
        const leads = isSame && existsSync(resolve(dirname(aside), written));
        const isFree = statusAt(path) === undefined;
        if (isFree && (leads || !isSame)) renamePath(aside, path);
        else if (isSame) removePath(aside);
      } catch (error) {
        if (!isMissing(error)) throw writeError(path, error);
      }
    },
  };
}

/** Removes abandoned temporary files. */
export function discard(paths: readonly string[]): Repair {
  return {
    key: `discard ${paths[0]}`,
    run: () => {
      for (const path of paths) discardTemporary(path);
    },
  };
}
