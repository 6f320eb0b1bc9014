// skc uninstall: the directory, what was compiled from it, its links and its entry go together.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { StoreScope } from '../../skill/places/index.ts';
import { entryOf } from './install-derive.ts';
import { listBeside } from './install-files.ts';
import { findInstalled } from './install-names.ts';
import type { InstallContext, InstallPlace } from './install-place.ts';
import { isThere } from './install-status.ts';
import type { LockedSkill } from './lock.ts';
import { changePlace } from './transaction.ts';
import { checkDeployments } from './verify-deployments.ts';
import { compareFiles } from './verify-files.ts';

/** What is to be uninstalled. */
export interface UninstallRequest {
  readonly skills: readonly string[];
  readonly scope?: StoreScope | undefined;
  /** Uninstalls edited skills too, and keeps a backup. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** A skill that is gone, or would be. */
export interface UninstalledSkill {
  readonly name: string;
  readonly scope: StoreScope;
  /** What was removed: the directory of the store, links and copies. */
  readonly removed: readonly string[];
  /** Links and copies that stay because they are not skc's, or were changed. */
  readonly kept: readonly string[];
  readonly backup: string | null;
}

/** Uninstalls skills: all that are named, or none. E001 for one that is not installed, E212 for one that was edited. */
export async function uninstallSkills(
  request: UninstallRequest,
  context: InstallContext,
): Promise<UninstalledSkill[]> {
  const found = await findInstalled(request, context);
  const edited = found.filter(({ name, place, entry }) => editsOf(name, entry, place).length > 0);
  const kept = new Set(edited.map(({ name }) => name));
  if (edited.length > 0 && !request.force && !request.dryRun) await askAbout(edited, context);
  const places = [...new Set(found.map(({ place }) => place))];
  const done: UninstalledSkill[] = [];
  for (const place of places) {
    const names = found.filter((skill) => skill.place === place).map(({ name }) => name);
    done.push(...(await uninstallFrom(place, names, { request, context, kept })));
  }
  return done;
}

async function uninstallFrom(
  place: InstallPlace,
  names: readonly string[],
  work: { request: UninstallRequest; context: InstallContext; kept: ReadonlySet<string> },
): Promise<UninstalledSkill[]> {
  const { request, context, kept } = work;
  const described = (name: string, entry: LockedSkill): UninstalledSkill => {
    const dir = join(place.store.skills, name);
    const deployments = checkDeployments(name, entry, { place, context }).filter(
      ({ state }) => state !== 'missing',
    );
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
  };
  const found = await findInstalled({ skills: names, scope: place.scope }, { ...context, cwd: place.base });
  if (request.dryRun) return found.map(({ name, entry }) => described(name, entry));
  return changePlace(place, context, (locked) => {
    const lock = locked.lock();
    const entries = names.map((name) => {
      const entry = entryOf(lock, name);
      if (entry === undefined) throw SkillwrightError.of('E001', { skill: name });
      if (!kept.has(name) && editsOf(name, entry, place).length > 0) throw editsInTheWay([name]);
      return { name, entry };
    });
    const results = entries.map(({ name, entry }) => described(name, entry));
    const skills = Object.fromEntries(Object.entries(lock.skills).filter(([name]) => !names.includes(name)));
    const { backups } = locked.change({
      skills: names.map((name) => ({ name, keep: kept.has(name) })),
      lock: { skills },
    });
    return results.map((result) => {
      const left = result.removed.slice(1).filter(isThere);
      return {
        ...result,
        removed: result.removed.filter((path) => !left.includes(path)),
        kept: [...result.kept.filter(isThere), ...left],
        backup: backups.get(result.name) ?? null,
      };
    });
  });
}

/** What the user would lose. */
function editsOf(name: string, entry: LockedSkill, place: InstallPlace): string[] {
  const dir = join(place.store.skills, name);
  if (!isThere(dir)) return [];
  const { modified, extra, edited } = compareFiles(dir, entry);
  const beside = lstatSync(dir).isDirectory() ? listBeside(dir) : [];
  return [...modified, ...extra, ...edited.filter((path) => entry.edits[path] !== null), ...beside];
}

async function askAbout(
  edited: readonly { name: string; entry: LockedSkill; place: InstallPlace }[],
  context: InstallContext,
): Promise<void> {
  const names = edited.map(({ name }) => name);
  const question = `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} edited. Uninstall, and keep a backup?`;
  if (context.ask !== undefined && (await context.ask.confirm(question))) return;
  const files = edited.flatMap(({ name, entry, place }) =>
    editsOf(name, entry, place).map((path) => `${name}/${path}`),
  );
  throw editsInTheWay(names, files);
}

function editsInTheWay(names: readonly string[], files: readonly string[] = []): SkillwrightError {
  return SkillwrightError.of(
    'E212',
    { skill: names.join(', ') },
    {
      help: '--force uninstalls it and keeps a backup',
      ...(files.length === 0 ? {} : { detail: files.map((path) => `  ${path}`).join('\n') }),
      data: { files },
    },
  );
}
