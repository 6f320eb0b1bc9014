// Removes temporary files that a killed build left behind.

import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Another process may still be using younger ones. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Removes temporary files of the given names from a directory if they are ten minutes older than `now`; all of them
 * without `now`. Their SQLite journals go as well. Returns the paths removed, or to be removed with `dryRun`.
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
    // No directory, so no leftovers.
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
