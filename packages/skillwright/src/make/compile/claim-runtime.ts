// Decides whether a build may write into a runtime directory: only if it is free, or skc made it from this skill.

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canonicalPath, writeError } from '../../base/files/index.ts';
import {
  type BuildManifest,
  hasSkillFile,
  type RuntimeBase,
  readBuildManifest,
  readSourcePath,
  type Skill,
} from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import { backupPlace, moveToBackup } from './backup-name.ts';

/** Data directories of other tools in their runtime directories. */
const FOREIGN_DIRECTORY = '.skillc-meta';

/**
 * E013 if `runtime` belongs to another skill or was not made by skc. With `force`, takes over the one of another skill, and
 * moves aside anything skc did not make: returns its new path, otherwise null.
 */
export function claimRuntime(
  source: Skill,
  runtime: string,
  options: { home: string; force: boolean; now: Date; base: RuntimeBase },
): string | null {
  if (isForeignRuntime(runtime)) {
    if (!options.force) {
      const help =
        'skc did not make it; move it away, or use --force, which backs it up under .skillc/backups';
      throw SkillwrightError.of('E013', { path: runtime }, { help });
    }
    try {
      const { home, now, base } = options;
      const backup = backupPlace(runtime, { home, now, project: base.project });
      moveToBackup(runtime, backup);
      return backup;
    } catch (error) {
      throw writeError(runtime, error);
    }
  }
  const manifest = readBuildManifest(runtime);
  if (manifest !== undefined && !options.force) checkOwner(source, manifest, { runtime, home: options.home });
  return null;
}

/** Two skills with one name would overwrite each other's runtime directory; the second is refused while the first exists. */
function checkOwner(
  source: Skill,
  manifest: BuildManifest,
  { runtime, home }: { runtime: string; home: string },
): void {
  const owner = readSourcePath(manifest, runtime, home);
  if (owner === source.dir || !hasSkillFile(owner) || canonicalPath(owner) === source.dir) return;
  const help = `skill '${source.name}' is compiled from ${owner}; rename one of the two, or use --force`;
  throw SkillwrightError.of('E013', { path: runtime }, { help, data: { owner } });
}

/**
 * True if something at the path of a runtime directory was not made by skc. A build writes its index first, so a
 * stub without manifest and index is not ours.
 */
export function isForeignRuntime(runtime: string): boolean {
  const status = lstatSync(runtime, { throwIfNoEntry: false });
  if (status === undefined) return false;
  const own = join(runtime, OWN_DIRECTORY);
  if (!status.isDirectory() || !(lstatSync(own, { throwIfNoEntry: false })?.isDirectory() ?? true))
    return true;
  if (readBuildManifest(runtime) !== undefined) return false;
  const names = readdirSync(runtime);
  if (names.includes(FOREIGN_DIRECTORY)) return true;
  const hasIndex =
    names.includes(OWN_DIRECTORY) && readdirSync(own).some((name) => /^search-.*\.db$/.test(name));
  return names.includes('SKILL.md') && !hasIndex;
}
