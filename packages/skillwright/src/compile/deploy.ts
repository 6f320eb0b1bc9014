// Putting a compiled skill where an agent finds it, without destroying anything skc did not make.

import { cpSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { isInside } from '../files/contained-path.ts';
import { systemErrorCode, writeError } from '../files/system-error.ts';
import { temporaryBeside } from '../files/write-atomic.ts';
import { MANIFEST_FILE, readBuildManifest } from '../places/build-manifest.ts';
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
}

/** What is deployed and how. */
export interface DeployOptions {
  readonly runtimeDir: string;
  readonly name: string;
  readonly copy: boolean;
  readonly force: boolean;
  readonly now: Date;
  readonly platform: NodeJS.Platform;
  /** Links inside it are relative, so that it can be moved. */
  readonly project: string | undefined;
}

/** Deploys to one target. E013 when something stands there that skc did not make and `force` is not given. */
export function deploy(target: Target, options: DeployOptions): Deployment {
  const path = join(target.dir, options.name);
  let abandoned: string | undefined;
  try {
    mkdirSync(target.dir, { recursive: true });
    const before = inspect(path, options.force);
    const attempt = options.copy ? 'copy' : options.platform === 'win32' ? 'junction' : 'symlink';
    const { staged, method } = stage(path, attempt, options);
    abandoned = staged;
    const backup = before === 'foreign' ? backupName(path, options.now) : null;
    // A directory cannot be renamed over, so it steps aside first; a link is replaced in one step.
    if (backup !== null) renameSync(path, backup);
    else if (before === 'own') setAside(path);
    renameSync(staged, path);
    return { target: target.id, path, method, fallback: method !== attempt, backup };
  } catch (error) {
    if (abandoned !== undefined) rmSync(abandoned, { recursive: true, force: true });
    throw writeError(path, error);
  }
}

/** What stands at the place: nothing, a link, a directory skc made, or something else. */
function inspect(path: string, force: boolean): 'nothing' | 'link' | 'own' | 'foreign' {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return 'nothing';
  if (status.isSymbolicLink()) return 'link';
  if (status.isDirectory() && readBuildManifest(path) !== undefined) return 'own';
  if (force) return 'foreign';
  throw SkillwrightError.of(
    'E013',
    { path },
    { help: 'use --force to replace it; the old one is kept beside it' },
  );
}

/** Makes the new link or copy beside its place. */
function stage(
  path: string,
  method: DeployMethod,
  options: DeployOptions,
): { staged: string; method: DeployMethod } {
  const staged = temporaryBeside(path);
  if (method === 'copy') {
    copyRuntime(options.runtimeDir, staged);
    return { staged, method };
  }
  try {
    const { project, runtimeDir } = options;
    const movable =
      method === 'symlink' &&
      project !== undefined &&
      isInside(project, path) &&
      isInside(project, runtimeDir);
    symlinkSync(
      movable ? relative(dirname(path), runtimeDir) : runtimeDir,
      staged,
      method === 'junction' ? 'junction' : 'dir',
    );
    return { staged, method };
  } catch (error) {
    if (
      !['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'].includes(systemErrorCode(error) ?? '')
    )
      throw error;
    copyRuntime(options.runtimeDir, staged);
    return { staged, method: 'copy' };
  }
}

/** Stub and manifest: what an agent reads, and the mark that skc made it. Index and log stay in one place. */
function copyRuntime(runtimeDir: string, staged: string): void {
  for (const file of ['SKILL.md', MANIFEST_FILE]) {
    mkdirSync(dirname(join(staged, file)), { recursive: true });
    cpSync(join(runtimeDir, file), join(staged, file));
  }
}

function setAside(path: string): void {
  const aside = temporaryBeside(path);
  renameSync(path, aside);
  rmSync(aside, { recursive: true, force: true });
}

function backupName(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  for (let attempt = 0; ; attempt++) {
    const name = `${path}.bak-${time}${attempt === 0 ? '' : `-${attempt}`}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}
