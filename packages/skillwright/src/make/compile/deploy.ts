// Putting a compiled skill where an agent finds it, without destroying anything skc did not make.

import { lstatSync, mkdirSync, readlinkSync, realpathSync, renameSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isIgnoredName,
  isInside,
  systemErrorCode,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import type { Target } from '../../skill/agents/index.ts';
import { type BuildManifest, readBuildManifest, readSourcePath } from '../../skill/skill/index.ts';
import { backupName } from './backup-name.ts';
import { isPristineCopy } from './is-pristine-copy.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { type DeployMethod, linkTarget, type Staged, type StageOptions, stage } from './stage-deployment.ts';

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
export interface DeployOptions extends StageOptions {
  /** The canonical directory of the source, which a deployment must not touch. */
  readonly source: string;
  readonly name: string;
  readonly copy: boolean;
  readonly force: boolean;
  readonly now: Date;
  readonly platform: NodeJS.Platform;
}

/** Deploys to one target. E013 when something stands there that skc did not make and `force` is not given. */
export function deploy(target: Target, options: DeployOptions): Deployment {
  const path = join(target.dir, options.name);
  const wanted = options.copy ? 'copy' : options.platform === 'win32' ? 'junction' : 'symlink';
  let staged: string | undefined;
  try {
    mkdirSync(target.dir, { recursive: true });
    checkDistance(target, options);
    removeLeftovers(target.dir, { names: [options.name], now: options.now });
    if (isInPlace(path, inspect(path, options.force), { ...options, wanted }))
      return { target: target.id, path, method: wanted, fallback: false, backup: null, replaced: null };
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

/** True when the place has exactly what would be put there. */
function isInPlace(
  path: string,
  occupant: Occupant,
  { wanted, ...options }: DeployOptions & { wanted: DeployMethod },
): boolean {
  if (wanted !== 'copy')
    return occupant.kind === 'link' && readlinkSync(path) === linkTarget(path, wanted, options);
  if (occupant.kind !== 'own') return false;
  const [there, here] = [readBuildManifest(path), readBuildManifest(options.runtimeDir)];
  if (there === undefined || here === undefined) return false;
  const sourceOf = (manifest: BuildManifest, dir: string) =>
    readSourcePath(manifest, realpathSync.native(dir), options.home);
  return there.stub_hash === here.stub_hash && sourceOf(there, path) === sourceOf(here, options.runtimeDir);
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
    const aside = occupant.kind === 'kept' ? backupName(path, options.now) : temporaryBeside(path);
    try {
      if (!inOneStep) renameSync(path, aside);
      try {
        renameSync(staged, path);
      } catch (error) {
        if (!inOneStep && lstatSync(path, { throwIfNoEntry: false }) === undefined) renameSync(aside, path);
        throw error;
      }
      return { backup: settle(aside, path, options.now) ?? backup, led };
    } catch (error) {
      backup = settle(aside, path, options.now) ?? backup;
      if (attempt === MAX_ATTEMPTS || !isOvertaken(error)) throw error;
    }
  }
}

/** Removes what stepped aside if it was ours, which is certain only now that nobody else knows its place. */
function settle(aside: string, path: string, now: Date): string | null {
  const status = lstatSync(aside, { throwIfNoEntry: false });
  if (status === undefined) return null;
  if (status.isSymbolicLink() || isPristineCopy(aside)) {
    discardTemporary(aside);
    return null;
  }
  if (aside.startsWith(`${path}.bak-`)) return aside;
  const backup = backupName(path, now);
  renameSync(aside, backup);
  return backup;
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
