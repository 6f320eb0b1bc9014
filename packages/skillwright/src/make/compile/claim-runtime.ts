// Whether a build may write into a runtime directory: only where nothing stands, or what skc itself made of this skill.

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

/** Where runtime directories of other tools keep their own data. */
const FOREIGN_DIRECTORY = '.skillc-meta';

/**
 * E013 when `runtime` is another skill's or was not made by skc. With `force` another skill's is taken over, and what
 * skc did not make is moved aside: the result is its new place, else null.
 */
export function claimRuntime(
  source: Skill,
  runtime: string,
  options: { home: string; force: boolean; now: Date; base: RuntimeBase },
): string | null {
  if (isForeignRuntime(runtime)) {
    if (!options.force) {
      const help = 'skc did not make it; move it away, or use --force, which keeps it under .skillc/backups';
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

/** Two skills of one name would take turns in one runtime directory; the second is refused while the first exists. */
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
 * True when something stands at a runtime directory's place that skc did not make. A build writes its index first, so a
 * stub without manifest and without index is not one of ours.
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
