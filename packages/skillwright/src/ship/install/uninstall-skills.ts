// skc uninstall: removes the directory, its compiled form, its links and its lock entry together.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from '../../base/files/index.ts';
import type { UninstallOutcome } from '../results/index.ts';
import { type Lock, requireEntry } from './lock/lock.ts';
import type { InstallContext } from './place/install-place.ts';
import { readPlaced } from './place/place-records.ts';
import { listBeside } from './place/stored-files.ts';
import { type ChangeRequest, editedError } from './plan/consent.ts';
import { findInstalled, type Installed } from './plan/find-installed.ts';
import { type Desired, reconcile } from './reconcile.ts';
import { checkDeployments, driftOf, editsIn } from './verify/check-installed.ts';

/** A request to uninstall. */
export type UninstallRequest = Pick<ChangeRequest, 'skills' | 'scope' | 'force' | 'dryRun'>;

type Uninstalled = UninstallOutcome['uninstalled'][number];

/** Uninstalls skills: all that are named, or none. E001 for one that is not installed, E212 for one that was edited. */
export async function uninstallSkills(
  request: UninstallRequest,
  context: InstallContext,
): Promise<UninstallOutcome> {
  const { force, dryRun } = request;
  const found = await findInstalled(request, context);
  const byPlace = Map.groupBy(found, (skill) => skill.place);
  const edited = [...byPlace].flatMap(([place, skills]) => {
    const placed = readPlaced(place);
    const all = skills.map((skill) => ({ name: skill.name, edits: editsOf(skill, placed) }));
    return all.filter(({ edits }) => edits.length > 0);
  });
  const kept = new Set(edited.map(({ name }) => name));
  if (edited.length > 0 && !force && !dryRun) await askAbout(edited, context);
  const done: Uninstalled[] = [];
  for (const [place, skills] of byPlace) {
    const desired = skills.map((skill) => removalOf(skill, kept.has(skill.name)));
    const options = { context, read: skills[0]!.read, together: true };
    done.push(...(dryRun ? skills.map(describeRemoval) : (await reconcile(place, desired, options)).rows));
  }
  return { dry_run: dryRun, uninstalled: done };
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
    restored: [],
    backup: null,
  };
}

function removalOf({ name, place }: Installed, keep: boolean): Desired<Uninstalled> {
  return {
    name,
    settle({ lock, placed }) {
      const skill = { name, place, entry: requireEntry(lock, name) };
      if (!keep && editsOf(skill, placed).length > 0) throw editedError(name, [], forceHelp([name]));
      const { removed, kept, ...rest } = describeRemoval(skill);
      return {
        plan: { name, after: undefined, keep },
        row: ({ backups }) => ({
          ...rest,
          removed: removed.filter((path) => !isThere(path)),
          kept: kept.filter(isThere),
          // A deployment gives back what it replaced.
          restored: removed.filter(isThere),
          backup: backups.get(name) ?? null,
        }),
      };
    },
  };
}

const forceHelp = (names: readonly string[]) => `'skc uninstall ${names.join(' ')} --force' keeps a backup`;

/** Edits the user would lose. */
function editsOf(skill: Installed, placed: Lock): string[] {
  const { name, place, entry } = skill;
  const drift = driftOf(skill, placed);
  if (drift === undefined) return [];
  const dir = join(place.store.skills, name);
  const beside = lstatSync(dir).isDirectory() ? listBeside(dir) : [];
  return [...editsIn(drift), ...drift.edited.filter((path) => entry.edits[path] !== null), ...beside];
}

async function askAbout(
  edited: readonly { readonly name: string; readonly edits: readonly string[] }[],
  context: InstallContext,
): Promise<void> {
  const names = edited.map(({ name }) => name);
  const question = `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} edited. Uninstall and keep a backup?`;
  if (context.ask !== undefined && (await context.ask.confirm(question))) return;
  const files = edited.flatMap(({ name, edits }) => edits.map((path) => `${name}/${path}`));
  throw editedError(names.join(', '), files, forceHelp(names));
}
