// The link or copy that stands for a compiled skill, made beside the place it will take.

import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, sha256, systemErrorCode, temporaryBeside } from '../../base/files/index.ts';
import {
  readBuildManifest,
  readSourcePath,
  spellSourcePath,
  writeBuildManifest,
} from '../../skill/skill/index.ts';

/** How a skill got to an agent. */
export type DeployMethod = 'symlink' | 'junction' | 'copy';

/** What the link or copy is of. */
export interface StageOptions {
  readonly runtimeDir: string;
  readonly home: string;
  /** Links inside it are relative, so that it can be moved. */
  readonly project: string | undefined;
}

/** A link or copy that is not in its place yet. */
export interface Staged {
  readonly staged: string;
  readonly method: DeployMethod;
}

/** Makes the new link, or copy where links are not possible, beside its place. */
export function stage(path: string, method: DeployMethod, options: StageOptions): Staged {
  const staged = temporaryBeside(path);
  if (method === 'copy') {
    copyRuntime(staged, options);
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
    copyRuntime(staged, options);
    return { staged, method: 'copy' };
  }
}

/** What a link at `path` says. Judged by real paths: a relative link starts from where its directory really is. */
export function linkTarget(
  path: string,
  method: DeployMethod,
  { project, runtimeDir }: StageOptions,
): string {
  if (method !== 'symlink' || project === undefined) return runtimeDir;
  const [root, from, to] = [project, dirname(path), runtimeDir].map((place) => realpathSync.native(place));
  return isInside(root!, from!) && isInside(root!, to!) ? relative(from!, to!) : runtimeDir;
}

/** Stub and manifest: what an agent reads, and the mark that skc made it. Index and log stay in one place. */
function copyRuntime(staged: string, { runtimeDir, home }: StageOptions): void {
  const manifest = readBuildManifest(runtimeDir);
  if (manifest === undefined)
    throw SkillwrightError.of('E015', { path: runtimeDir, why: 'it was removed meanwhile' });
  const stub = readFileSync(join(runtimeDir, 'SKILL.md'));
  mkdirSync(staged);
  writeFileSync(join(staged, 'SKILL.md'), stub);
  // A copy lies somewhere else, so a path relative to the project means nothing there; and while another build goes on,
  // stub and manifest need not be of one moment.
  const source = readSourcePath(manifest, realpathSync.native(runtimeDir), home);
  const { deployed: _, ...fields } = manifest;
  writeBuildManifest(staged, {
    ...fields,
    source_path: spellSourcePath(source, { project: undefined, home }),
    stub_hash: sha256(stub),
  });
}
