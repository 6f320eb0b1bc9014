// The links of a compiled skill: to the entries next to a stub, and the link or copy for an agent, made next to its place.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isInside,
  listFiles,
  readRealPath,
  realPath,
  realPathAhead,
  removePath,
  renamePath,
  sha256,
  statusAt,
  syncFile,
  systemErrorCode,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import {
  type BuildManifest,
  type DeployForm,
  readBuildManifest,
  readSourcePath,
  spellSourcePath,
  writeBuildManifest,
} from '../../skill/skill/index.ts';
import type { Deployment } from './build-outcome.ts';
import { hashCopy } from './occupant.ts';
import { checkPaths, copyEntries } from './open-for-build.ts';

/** Owner of the links. */
interface Owner {
  /** The canonical directory of the source. */
  readonly source: string;
  /** Entries that the last build copied, because there are no links. */
  readonly copied: readonly string[] | undefined;
}

/**
 * Makes the links of a runtime directory lead to exactly these entries of the source, and returns the names of those that
 * had to be copied. E013 if something else is in the way.
 */
export function linkBeside(
  runtimeDir: string,
  entries: readonly string[],
  options: Owner & { readonly project: string | undefined },
): string[] {
  const { source, copied = [], project } = options;
  for (const name of linksBeside(runtimeDir, options))
    if (copied.includes(name) || !entries.includes(name))
      removePath(join(runtimeDir, name), { recursive: true, force: true });
  return entries.filter((name) => makeLink(join(runtimeDir, name), join(source, name), project) === 'copy');
}

/** Names in a runtime directory that lead to the entry of that name in the source, or were copied from it. */
export function linksBeside(runtimeDir: string, { source, copied = [] }: Owner): string[] {
  if (!existsSync(runtimeDir)) return [];
  return readdirSync(runtimeDir, { withFileTypes: true })
    .filter((entry) =>
      entry.isSymbolicLink()
        ? leadsTo(join(runtimeDir, entry.name), join(source, entry.name))
        : copied.includes(entry.name),
    )
    .map(({ name }) => name);
}

/** Whether exactly these links exist, or copies in their place. */
export function isBeside(runtimeDir: string, entries: readonly string[], owner: Owner): boolean {
  return linksBeside(runtimeDir, owner).sort().join('\0') === [...entries].sort().join('\0');
}

function leadsTo(link: string, target: string): boolean {
  const written = resolve(realPath(dirname(link)), readlinkSync(link));
  return written === target || realPath(written) === realPath(target);
}

function makeLink(path: string, target: string, project: string | undefined): 'link' | 'copy' {
  const status = statusAt(path);
  if (status !== undefined && !status.isSymbolicLink()) {
    const help = 'skc did not make it; move it out of the runtime directory';
    throw SkillwrightError.of('E013', { path }, { help });
  }
  if (status !== undefined && leadsTo(path, target)) return 'link';
  const staged = temporaryBeside(path);
  try {
    const isFile = lstatSync(target).isFile();
    const made = linkOrCopy(
      () => symlinkSync(linkText(path, target, project), staged, isFile ? 'file' : 'junction'),
      () => cpSync(target, staged, { recursive: true }),
    );
    renamePath(staged, path);
    return made;
  } catch (error) {
    discardTemporary(staged);
    throw writeError(path, error);
  }
}

/** Errors of file systems without links. On Windows a link to a file needs a privilege. */
const refusals = ['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EISDIR', 'UNKNOWN'];

/** Makes a link, or a copy where there are no links. */
function linkOrCopy(link: () => void, copy: () => void): 'link' | 'copy' {
  try {
    link();
    return 'link';
  } catch (error) {
    if (!refusals.includes(systemErrorCode(error) ?? '')) throw error;
    copy();
    return 'copy';
  }
}

/** Whether a directory takes links to directories: tried out, and removed again. */
export function takesLinks(directory: string): boolean {
  const tried = temporaryBeside(join(directory, 'link'));
  try {
    symlinkSync(directory, tried, 'junction');
    discardTemporary(tried);
    return true;
  } catch {
    return false;
  }
}

/**
 * The text of a link at `path` to `target`: relative if both are in the project, so that the project can be moved.
 * Uses real paths: a relative link starts at the real path of its directory.
 */
function linkText(path: string, target: string, project: string | undefined): string {
  if (project === undefined || process.platform === 'win32') return target;
  const [root, from] = [project, dirname(path)].map((place) => readRealPath(place));
  // In a clone, the link can exist before its target.
  const to = realPathAhead(target);
  return isInside(root!, from!) && isInside(root!, to) ? relative(from!, to) : target;
}

type DeployMethod = Deployment['method'];

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
  const made = linkOrCopy(
    () => symlinkSync(linkTarget(path, method, options), staged, method === 'junction' ? 'junction' : 'dir'),
    () => copySkill(staged, options),
  );
  return { staged, method: made === 'link' ? method : made };
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
  const made = readSourcePath(manifest, readRealPath(runtimeDir), home);
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
