// Creates the link or copy of a compiled skill next to its target.

import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { listFiles, sha256, syncFile, systemErrorCode, temporaryBeside } from '../../base/files/index.ts';
import {
  type BuildManifest,
  type DeployForm,
  readBuildManifest,
  readSourcePath,
  spellSourcePath,
  writeBuildManifest,
} from '../../skill/skill/index.ts';
import { hashCopy } from './is-pristine-copy.ts';
import { linkText } from './link-beside.ts';
import { checkPaths, copyEntries } from './open-for-build.ts';

/** How a skill got to an agent; `source` if the source itself is in the agent's directory. */
export type DeployMethod = 'symlink' | 'junction' | 'copy' | 'source';

/** Source of the link or copy. */
export interface StageOptions {
  readonly runtimeDir: string;
  /** The canonical directory of the source. */
  readonly source: string;
  readonly form: DeployForm;
  readonly home: string;
  /** Links inside it are relative, so that it can be moved. */
  readonly project: string | undefined;
}

/** A link or copy that is not in place yet. */
export interface Staged {
  readonly staged: string;
  readonly method: DeployMethod;
}

/** Target of an agent's link: the source of a skill deployed whole, otherwise the runtime directory. */
export function deployedDir({
  form,
  source,
  runtimeDir,
}: Pick<StageOptions, 'form' | 'source' | 'runtimeDir'>): string {
  return form === 'whole' ? source : runtimeDir;
}

/** Creates the new link, or a copy if links are not possible, next to its target. */
export function stage(path: string, method: DeployMethod, options: StageOptions): Staged {
  const staged = temporaryBeside(path);
  if (method === 'copy') {
    copySkill(staged, options);
    return { staged, method };
  }
  try {
    symlinkSync(linkTarget(path, method, options), staged, method === 'junction' ? 'junction' : 'dir');
    return { staged, method };
  } catch (error) {
    if (
      !['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'].includes(systemErrorCode(error) ?? '')
    )
      throw error;
    copySkill(staged, options);
    return { staged, method: 'copy' };
  }
}

/** Text of a link at `path`. */
export function linkTarget(path: string, method: DeployMethod, options: StageOptions): string {
  return linkText(path, deployedDir(options), method === 'symlink' ? options.project : undefined);
}

/** The skill in its form, and the manifest, which marks it as made by skc. Index and log are not copied. */
function copySkill(staged: string, { runtimeDir, source, form, home }: StageOptions): void {
  const manifest = readBuildManifest(runtimeDir);
  if (manifest === undefined)
    throw SkillwrightError.of('E015', { path: runtimeDir, why: 'it was removed during the build' });
  mkdirSync(staged);
  if (form === 'whole') copyEntries(source, staged, checkPaths(source));
  else writeFileSync(join(staged, 'SKILL.md'), readFileSync(join(runtimeDir, 'SKILL.md')));
  if (form === 'files') copyEntries(source, staged, entriesBeside(source, manifest));
  // A copy is elsewhere, so a path relative to the project would be wrong there; and during another build,
  // stub and manifest may not belong together.
  const made = readSourcePath(manifest, realpathSync.native(runtimeDir), home);
  const { deployed: _, ...fields } = manifest;
  writeBuildManifest(staged, {
    ...fields,
    form,
    source_path: spellSourcePath(made, { project: undefined, home }),
    stub_hash: sha256(readFileSync(join(staged, 'SKILL.md'))),
    copy_hash: hashCopy(staged),
  });
  // It takes the place of an older copy, which agents read.
  for (const path of listFiles(staged)) syncFile(join(staged, path));
}

function entriesBeside(source: string, { beside = [] }: BuildManifest) {
  const names = new Set(beside);
  return checkPaths(source).filter(({ path }) => names.has(path.split('/', 1)[0]!));
}
