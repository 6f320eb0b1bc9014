// Putting a compiled skill where an agent finds it, without destroying anything skc did not make.

import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { isInside } from '../files/contained-path.ts';
import { readError, systemErrorCode, writeError } from '../files/system-error.ts';
import { isIgnoredName } from '../files/walk-tree.ts';
import { discardTemporary, temporaryBeside } from '../files/write-atomic.ts';
import {
  readBuildManifest,
  readSourcePath,
  spellSourcePath,
  writeBuildManifest,
} from '../places/build-manifest.ts';
import { backupName } from './backup-name.ts';
import { isPristineCopy } from './is-pristine-copy.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import type { Target } from './resolve-targets.ts';

/** How a skill got to an agent. */
export type DeployMethod = 'symlink' | 'junction' | 'copy';

/** One finished deployment. */
export interface Deployment {
  target: string;
  path: string;
  method: DeployMethod;
  /** True when a copy was made because links are not possible there. */
  fallback: boolean;
  /** Where what stood there before is kept; null when nothing had to be kept. */
  backup: string | null;
  /** Where the link that stood there before led, when that was somewhere else; otherwise null. */
  replaced: string | null;
}

/** What is deployed and how. */
export interface DeployOptions {
  readonly runtimeDir: string;
  /** The canonical directory of the source, which a deployment must not touch. */
  readonly source: string;
  readonly name: string;
  readonly copy: boolean;
  readonly force: boolean;
  readonly now: Date;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Links inside it are relative, so that it can be moved. */
  readonly project: string | undefined;
}

/** Deploys to one target. E013 when something stands there that skc did not make and `force` is not given. */
export function deploy(target: Target, options: DeployOptions): Deployment {
  const path = join(target.dir, options.name);
  const wanted = options.copy ? 'copy' : options.platform === 'win32' ? 'junction' : 'symlink';
  let staged: string | undefined;
  try {
    mkdirSync(target.dir, { recursive: true });
    checkDistance(target, options);
    inspect(path, options.force);
    removeLeftovers(target.dir, { names: [options.name], now: options.now });
    const made = stage(path, wanted, options);
    staged = made.staged;
    const { method } = made;
    const { backup, led } = putInPlace(path, made, options);
    const replaced = led === undefined || isSamePlace(led, options.runtimeDir) ? null : led;
    return { target: target.id, path, method, fallback: method !== wanted, backup, replaced };
  } catch (error) {
    throw writeError(path, error);
  } finally {
    if (staged !== undefined) discardTemporary(staged);
  }
}

/** The source is never the place of its own stub, with `force` or without; nor may a link to the outside lie in it. */
function checkDistance({ dir }: Target, { name, source }: DeployOptions): void {
  const real = realpathSync.native(dir);
  if (isInside(join(real, name), source)) {
    const help =
      'this is the source itself; deploy somewhere else, or copy it into the store first with --import';
    throw SkillwrightError.of('E013', { path: join(dir, name) }, { help });
  }
  if (isInside(source, real) && !relative(source, real).split(sep).some(isIgnoredName))
    throw SkillwrightError.of('E100', { why: `the target ${dir} lies inside the skill` });
}

type Occupant =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'link'; readonly led: string }
  /** A copy skc made and nobody changed since. */
  | { readonly kind: 'own' }
  /** Anything else that may be moved aside. */
  | { readonly kind: 'kept' };

/** What stands at the place; E013 when it may not be replaced. */
function inspect(path: string, force: boolean): Occupant {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return { kind: 'nothing' };
  if (status.isSymbolicLink()) return { kind: 'link', led: resolve(dirname(path), readlinkSync(path)) };
  if (status.isDirectory() && readBuildManifest(path) !== undefined)
    return { kind: isPristineCopy(path) ? 'own' : 'kept' };
  if (force) return { kind: 'kept' };
  throw SkillwrightError.of(
    'E013',
    { path },
    { help: 'use --force to replace it; the old one is kept beside it' },
  );
}

interface Staged {
  readonly staged: string;
  readonly method: DeployMethod;
}

/** Makes the new link or copy beside its place. */
function stage(path: string, method: DeployMethod, options: DeployOptions): Staged {
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

/** Judged by real paths: a relative link starts from where its directory really is. */
function linkTarget(path: string, method: DeployMethod, { project, runtimeDir }: DeployOptions): string {
  if (method !== 'symlink' || project === undefined) return runtimeDir;
  const [root, from, to] = [project, dirname(path), runtimeDir].map((place) => realpathSync.native(place));
  return isInside(root!, from!) && isInside(root!, to!) ? relative(from!, to!) : runtimeDir;
}

/** Stub and manifest: what an agent reads, and the mark that skc made it. Index and log stay in one place. */
function copyRuntime(staged: string, { runtimeDir, home }: DeployOptions): void {
  const manifest = readBuildManifest(runtimeDir);
  if (manifest === undefined) throw readError(runtimeDir, new Error('the manifest is gone'));
  mkdirSync(staged);
  copyFileSync(join(runtimeDir, 'SKILL.md'), join(staged, 'SKILL.md'));
  // A copy lies somewhere else, so a path relative to the project means nothing there.
  const source = readSourcePath(manifest, realpathSync.native(runtimeDir), home);
  const { deployed: _, ...fields } = manifest;
  writeBuildManifest(staged, {
    ...fields,
    source_path: spellSourcePath(source, { project: undefined, home }),
  });
}

/** Other processes may deploy to the same place at the same time: each attempt looks anew at what stands there. */
const MAX_ATTEMPTS = 20;

function putInPlace(
  path: string,
  { staged, method }: Staged,
  options: DeployOptions,
): { backup: string | null; led: string | undefined } {
  let backup: string | null = null;
  for (let attempt = 1; ; attempt++) {
    const occupant = inspect(path, options.force);
    const led = occupant.kind === 'link' ? occupant.led : undefined;
    // A link replaces a link in one step. Everything else steps aside first, and comes back when that fails.
    const inOneStep = occupant.kind === 'nothing' || (led !== undefined && method === 'symlink');
    const isKept = occupant.kind === 'kept';
    const aside = inOneStep ? undefined : isKept ? backupName(path, options.now) : temporaryBeside(path);
    try {
      if (aside !== undefined) renameSync(path, aside);
      try {
        renameSync(staged, path);
      } catch (error) {
        if (aside !== undefined && lstatSync(path, { throwIfNoEntry: false }) === undefined)
          renameSync(aside, path);
        else if (isKept) backup = aside ?? null;
        throw error;
      }
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && isOvertaken(error)) continue;
      throw error;
    } finally {
      if (aside !== undefined && !isKept) discardTemporary(aside);
    }
    return { backup: isKept ? aside! : backup, led };
  }
}

function isOvertaken(error: unknown): boolean {
  return ['ENOENT', 'EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
}

function isSamePlace(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return realpathSync.native(a) === realpathSync.native(b);
  } catch {
    // It led nowhere.
    return false;
  }
}
