// Work in progress that a killed build left behind.

import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Younger work may still be going on in another process. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Removes temporaries of the given names from a directory, those of `now` minus ten minutes and older; all of them
 * without `now`. SQLite's journals of them go as well. Gives the paths that were removed, or would be with `dryRun`.
 */
export function removeLeftovers(
  dir: string,
  options: { names: readonly string[]; now?: Date | undefined; dryRun?: boolean | undefined },
): string[] {
  const { names, now } = options;
  const cut = new Set(names.map((name) => name.slice(0, 40)));
  const isTemporary = (entry: string) => {
    const name = /^\.(.+)\.\d+-[a-z0-9]{1,8}\.tmp(?:-journal)?$/.exec(entry)?.[1];
    return name !== undefined && cut.has(name);
  };
  let entries: string[];
  try {
    entries = readdirSync(dir);
  } catch {
    // Nothing there, so nothing was left there.
    return [];
  }
  return entries.filter(isTemporary).flatMap((entry) => {
    const path = join(dir, entry);
    const changed = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined || (now !== undefined && now.getTime() - changed < ABANDONED_AFTER_MS))
      return [];
    if (options.dryRun !== true) rmSync(path, { recursive: true, force: true });
    return [path];
  });
}
