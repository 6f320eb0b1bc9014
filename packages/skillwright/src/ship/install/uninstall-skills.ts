// skc uninstall: removes the directory, its compiled form, its links and its lock entry together.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from '../../base/files/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { UninstallOutcome } from '../results/index.ts';
import { entryOf, requireEntry } from './lock/lock.ts';
import type { InstallContext, InstallPlace } from './place/install-place.ts';
import { readPlaced } from './place/place-records.ts';
import { listBeside } from './place/stored-files.ts';
import { editedError } from './plan/consent.ts';
import { findInstalled, type Installed, type PlaceRead } from './plan/find-installed.ts';
import { changePlace, type LockedPlace } from './transaction/change-place.ts';
import { checkDeployments, compareWithLock } from './verify/check-installed.ts';

/** A request to uninstall. */
export interface UninstallRequest {
  readonly skills: readonly string[];
  readonly scope?: StoreScope | undefined;
  /** Uninstalls edited skills too, and keeps a backup. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

type Uninstalled = UninstallOutcome['uninstalled'][number];

/** Uninstalls skills: all that are named, or none. E001 for one that is not installed, E212 for one that was edited. */
export async function uninstallSkills(
  request: UninstallRequest,
  context: InstallContext,
): Promise<UninstallOutcome> {
  const found = await findInstalled(request, context);
  const edited = found
    .map((skill) => ({ name: skill.name, edits: editsOf(skill) }))
    .filter(({ edits }) => edits.length > 0);
  const kept = new Set(edited.map(({ name }) => name));
  if (edited.length > 0 && !request.force && !request.dryRun) await askAbout(edited, context);
  const done: Uninstalled[] = [];
  for (const [place, skills] of Map.groupBy(found, (skill) => skill.place)) {
    if (request.dryRun) done.push(...skills.map(describeRemoval));
    else {
      done.push(...(await uninstallFrom(place, skills, { context, kept })));
    }
  }
  return { dry_run: request.dryRun, uninstalled: done };
}

/** Paths that uninstalling a skill removes, and those it leaves. */
function describeRemoval({ name, place, entry }: Installed): Uninstalled {
  const dir = join(place.store.skills, name);
  const deployments = checkDeployments(name, entry, place).filter(({ state }) => state !== 'missing');
  const paths = (isOurs: boolean) =>
    deployments.flatMap(({ path, state }) =>
      path !== null && ['ok', 'broken'].includes(state) === isOurs ? [path] : [],
    );
  return {
    name,
    scope: place.scope,
    removed: [...(isThere(dir) ? [dir] : []), ...paths(true)],
    kept: paths(false),
    backup: null,
  };
}

function uninstallFrom(
  place: InstallPlace,
  skills: readonly (Installed & PlaceRead)[],
  { context, kept }: { context: InstallContext; kept: ReadonlySet<string> },
): Promise<Uninstalled[]> {
  const work = async (locked: LockedPlace) => {
    const lock = locked.lock();
    const names = skills.map(({ name }) => name);
    const results = names.map((name) => {
      const skill = { name, place, entry: requireEntry(lock, name) };
      if (!kept.has(name) && editsOf(skill).length > 0) throw editedError(name, [], FORCE_HELP);
      return describeRemoval(skill);
    });
    const { backups } = await locked.change(
      names.map((name) => ({ name, after: undefined, keep: kept.has(name) })),
    );
    return results.map((result) => {
      const left = result.removed.slice(1).filter(isThere);
      return {
        ...result,
        removed: result.removed.filter((path) => !left.includes(path)),
        kept: [...result.kept.filter(isThere), ...left],
        backup: backups.get(result.name) ?? null,
      };
    });
  };
  return changePlace(place, context, { read: skills[0]!.read, work });
}

const FORCE_HELP = '--force uninstalls it and keeps a backup';

/** Edits the user would lose. */
function editsOf({ name, place, entry }: Installed): string[] {
  const dir = join(place.store.skills, name);
  if (!isThere(dir)) return [];
  const { modified, extra, edited } = compareWithLock(dir, entry, entryOf(readPlaced(place), name));
  const beside = lstatSync(dir).isDirectory() ? listBeside(dir) : [];
  return [...modified, ...extra, ...edited.filter((path) => entry.edits[path] !== null), ...beside];
}

async function askAbout(
  edited: readonly { readonly name: string; readonly edits: readonly string[] }[],
  context: InstallContext,
): Promise<void> {
  const names = edited.map(({ name }) => name);
  const question = `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} edited. Uninstall and keep a backup?`;
  if (context.ask !== undefined && (await context.ask.confirm(question))) return;
  const files = edited.flatMap(({ name, edits }) => edits.map((path) => `${name}/${path}`));
  throw editedError(names.join(', '), files, FORCE_HELP);
}
