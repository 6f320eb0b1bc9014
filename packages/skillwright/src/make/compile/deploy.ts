// Deploys a compiled skill where agents find it, at all targets or none, and destroys nothing that skc did not make.

import { mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  type Change,
  changeTogether,
  discardTemporary,
  isIgnoredName,
  isInside,
  realPathAhead,
  removeLeftovers,
  writeError,
} from '../../base/files/index.ts';
import type { Target } from '../../skill/agents/index.ts';
import {
  type Before,
  type BuildManifest,
  buildRecord,
  readBuildManifest,
  readSourcePath,
} from '../../skill/skill/index.ts';
import type { Deployment } from './build-outcome.ts';
import { deployedDir, linkTarget, type StageOptions, stage, takesLinks } from './links.ts';
import {
  inspect,
  isCurrentCopy,
  isOwnLink,
  isSamePlace,
  type Occupant,
  type Placed,
  putInPlace,
} from './occupant.ts';

/** Input for a deployment. */
export interface DeployOptions extends StageOptions {
  readonly name: string;
  readonly copy: boolean;
  readonly force: boolean;
  readonly now: Date;
  readonly platform: NodeJS.Platform;
  /** A directory that was just copied into the store: the copy replaces it. */
  readonly imported?: string | undefined;
  /** Whether what killed builds of it left in the directories of agents was removed before. */
  readonly isSwept?: boolean | undefined;
}

/** A deployment that was checked and may go ahead. */
interface Planned {
  readonly target: Target;
  readonly path: string;
  readonly wanted: Deployment['method'];
  readonly isInPlace: boolean;
  readonly occupant: Occupant;
}

/** Deploys to all targets. E013 if one holds something that skc did not make; then none is changed. */
export function deploy(targets: readonly Target[], options: DeployOptions): Deployment[] {
  const planned = targets.map((target) => plan(target, options));
  return changeTogether((made) => planned.map((one) => carryOut(one, made, options)));
}

/** The same as a dry run: lists what would be deployed where. */
export function previewDeployments(targets: readonly Target[], options: DeployOptions): Deployment[] {
  return targets.map((target) => {
    const { isInPlace, path, wanted, occupant } = plan(target, options);
    const led = 'led' in occupant ? occupant.led : undefined;
    const isElsewhere = led !== undefined && !isSamePlace(led, deployedDir(options));
    return {
      ...describeDeployment(target, path, { method: wanted, options, changed: !isInPlace }),
      replaced: isElsewhere ? led : null,
    };
  });
}

function describeDeployment(
  target: Target,
  path: string,
  { method, options, changed }: { method: Deployment['method']; options: DeployOptions; changed: boolean },
): Deployment {
  const { form } = options;
  return { target: target.id, path, method, form, changed, fallback: false, backup: null, replaced: null };
}

/** Checks a target. E013, E019 and E100 if it cannot be used. */
function plan(target: Target, options: DeployOptions): Planned {
  const path = join(target.dir, options.name);
  try {
    if (isSource(target, options))
      return { target, path, wanted: 'source', isInPlace: true, occupant: { kind: 'nothing' } };
    const wanted = options.copy ? 'copy' : options.platform === 'win32' ? 'junction' : 'symlink';
    const occupant = inspect(path, { ...options, leads: deployedDir(options) });
    // Where there are no links, the copy of the last build is as good as one.
    if (wanted !== 'copy' && occupant.kind === 'own' && !takesLinks(target.dir)) {
      const copy = { target, path, wanted: 'copy', occupant } as const;
      return { ...copy, isInPlace: isInPlace(path, occupant, { ...options, wanted: 'copy' }) };
    }
    return { target, path, wanted, occupant, isInPlace: isInPlace(path, occupant, { ...options, wanted }) };
  } catch (error) {
    throw writeError(path, error);
  }
}

/**
 * True if the source of a skill deployed whole is already there. A stub never replaces its source or the runtime directory, even
 * with `force`, and no link to the outside may be in the skill.
 */
function isSource(target: Target, options: DeployOptions): boolean {
  const { name, source, form, force } = options;
  const place = join(refuseOwnPlaces(target, options), name);
  if (place === source && (form === 'whole' || !force)) return true;
  if (isInside(place, source)) {
    const at = join(target.dir, name);
    const help = `this is the source itself; 'skc build ${at} --import' copies it into the store first`;
    throw SkillwrightError.of('E013', { path: at }, { help });
  }
  return false;
}

/** The real path of a target. E019 if it would replace or hold the runtime directory, E100 if it is inside the skill. */
export function refuseOwnPlaces(
  { dir, real = realPathAhead(dir) }: Pick<Target, 'dir' | 'real'>,
  { name, source, runtimeDir }: Pick<DeployOptions, 'name' | 'source' | 'runtimeDir'>,
): string {
  const runtime = realPathAhead(runtimeDir);
  const place = join(real, name);
  if (isInside(place, runtime) || isInside(runtime, place)) {
    const help = 'agents must not read the runtime directory itself; choose another directory as the target';
    throw SkillwrightError.of(
      'E019',
      { path: join(dir, name), why: 'skc compiles to this directory' },
      { help },
    );
  }
  if (isInside(source, real) && !relative(source, real).split(sep).some(isIgnoredName))
    throw SkillwrightError.of('E100', { why: `the target ${dir} is inside the skill` });
  return real;
}

/** True if the target already holds exactly what would be deployed. */
function isInPlace(
  path: string,
  occupant: Occupant,
  { wanted, ...options }: DeployOptions & { wanted: Deployment['method'] },
): boolean {
  if (wanted !== 'copy') {
    if (occupant.kind !== 'link') return false;
    const written = readlinkSync(path);
    return written === linkTarget(path, wanted, options) || isUsersOwn(path, occupant.led, options);
  }
  if (occupant.kind !== 'own') return false;
  const [there, here] = [readBuildManifest(path), readBuildManifest(options.runtimeDir)];
  if (there === undefined || here === undefined) return false;
  const sourceOf = (manifest: BuildManifest, dir: string) =>
    readSourcePath(manifest, realpathSync.native(dir), options.home);
  return (
    isCurrentCopy(path, options.runtimeDir) && sourceOf(there, path) === sourceOf(here, options.runtimeDir)
  );
}

/** A link to the source made by the user serves as well as ours, and stays unchanged. */
function isUsersOwn(path: string, led: string, options: DeployOptions): boolean {
  return options.form === 'whole' && isSamePlace(led, options.source) && !isOwnLink(path, options.home);
}

/** What `clean` brings back later. An edited copy of skc's own is not what agents had before. */
function beforeOf({ backup, led }: Placed, leads: string): Before | undefined {
  if (backup !== null) return readBuildManifest(backup) === undefined ? { backup } : undefined;
  return led === undefined || isSamePlace(led, leads) ? undefined : { link: led };
}

function carryOut(planned: Planned, note: (change: Change) => void, options: DeployOptions): Deployment {
  const { target, path, wanted, occupant } = planned;
  if (options.isSwept !== true) removeLeftovers(target.dir, { names: [options.name], now: options.now });
  if (planned.isInPlace) {
    // An earlier version made this link into a runtime directory, or its record was lost.
    if (wanted !== 'source' && options.form !== 'whole')
      buildRecord(options.home).addPlace(path, deployedDir(options));
    return describeDeployment(target, path, { method: wanted, options, changed: false });
  }
  const leads = deployedDir(options);
  let staged: string | undefined;
  try {
    mkdirSync(target.dir, { recursive: true });
    const made = stage(path, wanted, options);
    staged = made.staged;
    const record = buildRecord(options.home);
    const isNew = occupant.kind === 'nothing';
    const [known, before] = isNew ? [] : [record.place(path), record.before(path)];
    const write = (before?: Before) =>
      record.addPlace(path, made.method === 'copy' ? options.runtimeDir : leads, before);
    // Record a new deployment first: an unrecorded one has no owner and would never be cleaned.
    if (isNew) write();
    const placed = putInPlace(path, made, { ...options, leads });
    const replaced = beforeOf(placed, leads);
    if (!isNew || replaced !== undefined) write(replaced);
    note({
      settle: placed.settle,
      undo() {
        placed.undo();
        record.forget(path);
        if (known !== undefined) record.addPlace(path, known, before);
      },
    });
    const { led, backup } = placed;
    return {
      ...describeDeployment(target, path, { method: made.method, options, changed: true }),
      fallback: made.method !== wanted,
      backup,
      replaced: led === undefined || isSamePlace(led, leads) ? null : led,
    };
  } catch (error) {
    throw writeError(path, error);
  } finally {
    if (staged !== undefined) discardTemporary(staged);
  }
}
