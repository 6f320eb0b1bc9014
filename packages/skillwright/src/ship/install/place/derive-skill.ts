// Derives from an installed skill its compiled form, and the links and copies for agents.

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import { canonicalPath, isThere, removeLeftovers, removePath } from '../../../base/files/index.ts';
import {
  type BuildRequest,
  buildAndDeploy,
  cleanRuntime,
  isDeploymentOf,
  isPristineCopy,
} from '../../../make/compile/index.ts';
import {
  buildRecord,
  hasSkillFile,
  readBuildManifest,
  readSourcePath,
  type Skill,
  skillAt,
} from '../../../skill/skill/index.ts';
import type { InstallOutcome } from '../../results/index.ts';
import { entryOf, type Lock, type LockedSkill } from '../lock/lock.ts';
import type { ContentCache } from './content-cache.ts';
import { type InstallContext, type InstallPlace, runtimeOf } from './install-place.ts';

/** Options for compiling and deploying skills. */
export interface DeriveOptions {
  readonly place: InstallPlace;
  readonly context: InstallContext;
  readonly cache: ContentCache;
  readonly tokenizer: BuildRequest['tokenizer'];
  /** The configured form of deployment. */
  readonly deploy: BuildRequest['deploy'];
  readonly hides: BuildRequest['hides'];
  /** Replaces files that skc did not make, and keeps a backup. */
  readonly force: boolean;
  /** Whether `sweepTargets` has been called for the skill. */
  readonly isSwept?: boolean | undefined;
  /** The skill as it was scanned, whose files are now in the store; opened there when left out. */
  readonly skill?: Skill | undefined;
  /** Called before every change to the disk with its name. */
  step(what: string): void;
}

/** A deployment, and the reason for its form. */
export type DerivedDeployment = InstallOutcome['skills'][number]['deployments'][number];

/**
 * Makes the compiled form and the deployments of a skill match the lock `now`. Targets that only `other` names are
 * removed. Idempotent.
 */
export function deriveSkill(
  name: string,
  locks: { now: Lock; other: Lock | undefined },
  options: DeriveOptions,
): DerivedDeployment[] {
  const { place } = options;
  const entry = entryOf(locks.now, name);
  if (entry === undefined && isOthers(name, place)) return [];
  const deployments = entry === undefined ? withdraw(name, options) : compileFor(name, entry, options);
  const other = locks.other === undefined ? undefined : entryOf(locks.other, name);
  if (other === undefined) return deployments;
  const wanted = new Set(entry === undefined ? [] : placesOf(name, entry, place));
  for (const path of placesOf(name, other, place))
    if (!wanted.has(path)) removeDeployment(path, name, options);
  return deployments;
}

/** Removes leftovers of killed builds of these skills from agents' directories. Lists each directory once. */
export function sweepTargets(names: readonly string[], lock: Lock, options: DeriveOptions): void {
  const { place, context } = options;
  const places = names.flatMap((name) => {
    const entry = entryOf(lock, name);
    return entry === undefined ? [] : placesOf(name, entry, place);
  });
  const now = context.now();
  for (const dir of new Set(places.map(dirname))) removeLeftovers(dir, { names, now });
}

/** True when the compiled form of this name belongs to a skill elsewhere: it is not ours to remove. */
function isOthers(name: string, place: InstallPlace): boolean {
  const { dir, source } = runtimeOf(name, place);
  const manifest = readBuildManifest(dir);
  if (manifest === undefined) return false;
  const made = readSourcePath(manifest, dir, place.home);
  return made !== source && made !== join(place.store.skills, name);
}

function compileFor(
  name: string,
  entry: LockedSkill,
  { place, context, tokenizer, force, deploy, hides, isSwept, skill: scanned }: DeriveOptions,
): DerivedDeployment[] {
  // Checked before anything is built: none may escape.
  const placed = place.targets(entry.targets).map((target) => ({ ...target, id: target.agent }));
  const groups = (['link', 'copy'] as const).map((method) => ({
    copy: method === 'copy',
    places: placed.filter((target) => target.method === method),
  }));
  const used = groups.filter(({ places }) => places.length > 0);
  const dir = join(place.store.skills, name);
  const opened = scanned === undefined ? { dir } : skillAt(scanned, { dir: canonicalPath(dir), name });
  return (used.length === 0 ? groups.slice(0, 1) : used).flatMap(({ copy, places }) => {
    const { scope, project } = place;
    const request = { global: project === undefined, scope, targets: [], import: false, now: context.now() };
    const { deployments, diagnostics, why } = buildAndDeploy(
      { ...opened, scope: place.scope },
      { ...request, places, copy, force, tokenizer, deploy, hides, isSwept },
      context.workspace,
    );
    for (const diagnostic of diagnostics) context.report(diagnostic);
    return deployments.map(({ target, path, method, form }) => ({ target, path, method, form, why }));
  });
}

/** Removes the compiled form of an uninstalled skill, or compiles the user's own skill of that name in the store. */
function withdraw(name: string, options: DeriveOptions): [] {
  const { place, context } = options;
  const dir = join(place.store.skills, name);
  if (hasSkillFile(dir)) {
    compileFor(name, { targets: [] } as unknown as LockedSkill, options);
    return [];
  }
  const runtime = runtimeOf(name, place);
  cleanRuntime(runtime, context.workspace, { logs: readBuildManifest(runtime.dir) !== undefined });
  return [];
}

/** Removes a link to the skill or an unchanged copy of it; everything else stays. */
function removeDeployment(path: string, name: string, { place }: DeriveOptions): void {
  if (!isThere(path) || !isDeploymentOf(runtimeOf(name, place), path, place.home)) return;
  const isLink = lstatSync(path).isSymbolicLink();
  if (!isLink && !isPristineCopy(path)) return;
  removePath(path, { recursive: !isLink });
  buildRecord(place.home).forget(path);
}

/** Deployment paths of an entry; targets that are no longer understood have none. */
function placesOf(name: string, entry: LockedSkill, place: InstallPlace): string[] {
  const placed = entry.targets.flatMap((target) => attempt(() => place.targets([target])) ?? []);
  return placed.map(({ dir }) => join(dir, name));
}
