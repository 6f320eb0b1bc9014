// Moves a file or directory out of the way of skc's own, unread and without losing it.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseLinks } from './contained-path.ts';
import { statusAt } from './paths.ts';
import { renamePath } from './retry.ts';
import { isMissing, writeError } from './system-error.ts';

/** Where something goes. */
interface Aside {
  /** Below this directory no link is followed. */
  readonly root: string;
  /** The directory that receives it, below `root`. */
  readonly directory: string;
  /** Its name there, without the time that is added. */
  readonly name: string;
  readonly now: Date;
  /** Files called like it with one of these added go with it. */
  readonly ends?: readonly string[];
}

/** Moves a file away and gives its new path. A link is moved, not followed. E016 or E017 when it cannot. */
export function setAside(path: string, { root, directory, name, now, ends = [] }: Aside): string {
  refuseLinks(root, dirname(path));
  refuseLinks(root, directory);
  const stamped = join(directory, `${name}-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`);
  try {
    mkdirSync(directory, { recursive: true });
    const kept = freeName(stamped);
    renamePath(path, kept);
    for (const end of ends) moveIfThere(path + end, kept + end);
    return kept;
  } catch (error) {
    throw writeError(path, error);
  }
}

function freeName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (statusAt(name) === undefined) return name;
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renamePath(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
