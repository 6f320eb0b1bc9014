// Moving away what stands where skc keeps its own, without looking into it and without losing it.

import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refuseLinks } from './refuse-links.ts';
import { isMissing, writeError } from './system-error.ts';

/**
 * Moves a file, with those beside it that are called like it with one of `ends` added, into a directory below `root`.
 * Gives its new path. A link is moved, not followed. E016 or E017 when it cannot.
 */
export function setAside(
  path: string,
  into: {
    readonly root: string;
    readonly directory: string;
    readonly now: Date;
    readonly ends?: readonly string[];
  },
): string {
  const { root, directory, now, ends = [] } = into;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const kept = join(directory, `${basename(path)}-${stamp}-${Math.random().toString(16).slice(2, 8)}`);
  refuseLinks(root, dirname(path));
  refuseLinks(root, directory);
  try {
    mkdirSync(directory, { recursive: true });
    renameSync(path, kept);
    for (const end of ends) moveIfThere(path + end, kept + end);
    return kept;
  } catch (error) {
    throw writeError(path, error);
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
