// The link or copy that stands for a compiled skill, made beside the place it will take.

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
import { copyEntries } from './copy-entries.ts';
import { hashCopy } from './is-pristine-copy.ts';
import { linkText } from './link-text.ts';
import { checkPaths } from './open-for-build.ts';

/** How a skill got to an agent; `source` when the source itself lies in the agent's directory. */
export type DeployMethod = 'symlink' | 'junction' | 'copy' | 'source';

/** What the link or copy is of. */
export interface StageOptions {
  readonly runtimeDir: string;
  /** The canonical directory of the source. */
  readonly source: string;
  readonly form: DeployForm;
  readonly home: string;
  /** Links inside it are relative, so that it can be moved. */
  readonly project: string | undefined;
}

/** A link or copy that is not in its place yet. */
export interface Staged {
  readonly staged: string;
  readonly method: DeployMethod;
}

/** What an agent is led to: the source of a skill that goes out whole, else the runtime directory. */
export function deployedDir({
  form,
  source,
  runtimeDir,
}: Pick<StageOptions, 'form' | 'source' | 'runtimeDir'>): string {
  return form === 'whole' ? source : runtimeDir;
}

/** Makes the new link, or copy where links are not possible, beside its place. */
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

/** What a link at `path` says. */
export function linkTarget(path: string, method: DeployMethod, options: StageOptions): string {
  return linkText(path, deployedDir(options), method === 'symlink' ? options.project : undefined);
}

/** The skill as its form says, and the manifest, the mark that skc made it. Index and log stay in one place. */
function copySkill(staged: string, { runtimeDir, source, form, home }: StageOptions): void {
  const manifest = readBuildManifest(runtimeDir);
  if (manifest === undefined)
    throw SkillwrightError.of('E015', { path: runtimeDir, why: 'it was removed meanwhile' });
  mkdirSync(staged);
  if (form === 'whole') copyEntries(source, staged, checkPaths(source));
  else writeFileSync(join(staged, 'SKILL.md'), readFileSync(join(runtimeDir, 'SKILL.md')));
  if (form === 'files') copyEntries(source, staged, entriesBeside(source, manifest));
  // A copy lies somewhere else, so a path relative to the project means nothing there; and while another build goes on,
  // stub and manifest need not be of one moment.
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
