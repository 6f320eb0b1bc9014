// Finds the installed skills for names on the command line.

import { SkillwrightError, suggest } from '../../../base/diagnostics/index.ts';
import { isSkillName } from '../../../skill/format/index.ts';
import type { StoreScope } from '../../../skill/workspace/index.ts';
import { entryOf, type LockedSkill, type ReadLock, readLock } from '../lock/lock.ts';
import { type InstallContext, type InstallPlace, placeOf, placesInSight } from '../place/install-place.ts';
import { recoverIfNeeded } from '../transaction/change-place.ts';

/** An installed skill and its place. */
export interface Installed {
  readonly name: string;
  readonly place: InstallPlace;
  readonly entry: LockedSkill;
}

/** A place and its lock. */
export interface PlaceRead {
  readonly place: InstallPlace;
  readonly read: ReadLock;
}

/** Reads the locks of places. Finishes interrupted transactions first. */
export async function readPlaces(
  places: readonly InstallPlace[],
  context: InstallContext,
): Promise<PlaceRead[]> {
  for (const place of places) await recoverIfNeeded(place, context);
  return places.map((place) => ({ place, read: readLock(place.store.lock) }));
}

/**
 * Finds installed skills. A name is looked up in the project's lock, then in the user's; without names all skills of the
 * scope, and without a scope those of the project inside one, else the user's; with `everywhere` both. E100 for an
 * invalid name, E001 for a skill that is not installed. Finishes an interrupted transaction first.
 */
export async function findInstalled(
  request: {
    readonly skills: readonly string[];
    readonly scope?: StoreScope | undefined;
    readonly everywhere?: boolean;
  },
  context: InstallContext,
): Promise<(Installed & PlaceRead)[]> {
  const { skills: names, scope } = request;
  for (const name of names) checkName(name);
  const isWide = names.length > 0 || request.everywhere === true;
  const places = isWide ? placesInSight(scope, context) : [placeOf(scope, context)];
  return findIn(await readPlaces(places, context), names);
}

/** The named skills in locks, all without names. E100 for an invalid name, E001 for a skill that is in none. */
export function findIn(places: readonly PlaceRead[], names: readonly string[]): (Installed & PlaceRead)[] {
  for (const name of names) checkName(name);
  if (names.length === 0)
    return places.flatMap(({ place, read }) =>
      Object.entries(read.lock.skills).map(([name, entry]) => ({ name, place, entry, read })),
    );
  return [...new Set(names)].map((name) => {
    for (const { place, read } of places) {
      const entry = entryOf(read.lock, name);
      if (entry !== undefined) return { name, place, entry, read };
    }
    const near = suggest(
      name,
      places.flatMap(({ read }) => Object.keys(read.lock.skills)),
    );
    const help = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'it was not installed by skc';
    throw SkillwrightError.of('E001', { skill: name }, { help, data: { suggestions: near } });
  });
}

function checkName(name: string): void {
  if (isSkillName(name)) return;
  throw SkillwrightError.of(
    'E100',
    { why: `'${name}' is not a skill name` },
    { help: "'skc list' shows the names of installed skills" },
  );
}
