// Noticing that the list of skills changes. Only directories are watched whose entries decide that list: the places
// where skills are kept, and each skill's own directory.

import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../../base/files/index.ts';
import {
  findProject,
  installedRoots,
  isDirectory,
  type ResolveContext,
  storePaths,
} from '../../skill/places/index.ts';
import type { ServedSkill } from './list-served-skills.ts';

/** Events within this time are looked at together: editors write in steps. */
const SETTLE_MS = 100;
/** Systems give a user some thousand watches; one server takes no more than these. */
const MAX_WATCHED = 1000;

/** A watch that goes on until it is closed. It does not keep the process alive. */
export interface SkillWatch {
  /** Looks now: what should be watched may have changed with the working directory. */
  refresh(): void;
  close(): void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

/** Calls `changed` when a skill comes, goes, or is described otherwise. */
export function watchSkills(options: {
  context: () => ResolveContext;
  list: () => readonly ServedSkill[];
  changed: () => void;
}): SkillWatch {
  const watched = new Map<string, Watched>();
  let before: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const schedule = (): void => {
    if (closed || timer !== undefined) return;
    timer = setTimeout(look, SETTLE_MS);
    timer.unref();
  };
  const look = (): void => {
    timer = undefined;
    if (closed) return;
    const skills = options.list();
    follow(watched, wantedDirectories(options.context(), skills), schedule);
    const now = describe(skills);
    const isNew = before !== undefined && before !== now;
    before = now;
    if (isNew) options.changed();
  };
  // At once, so that a client is told of everything after its first request.
  look();
  return {
    refresh: schedule,
    close() {
      closed = true;
      clearTimeout(timer);
      follow(watched, new Set(), schedule);
    },
  };
}

/** Everything lists and prompts say of a skill. */
function describe(skills: readonly ServedSkill[]): string {
  return JSON.stringify(
    skills.map(({ root, label, frontmatter }) => [
      root,
      label,
      frontmatter.description,
      frontmatter['argument-hint'],
      frontmatter['user-invocable'],
    ]),
  );
}

function wantedDirectories(context: ResolveContext, skills: readonly ServedSkill[]): ReadonlySet<string> {
  const { cwd, home } = context;
  const project = findProject(cwd, home);
  const near = new Set([cwd, home, ...(project === undefined ? [] : [project])]);
  const stores = [...near].flatMap((base) => {
    const { skills: sources, runtime } = storePaths(base);
    return [sources, runtime].map((dir) => ({ base, dir }));
  });
  const wanted = new Set<string>();
  for (const { base, dir } of [...stores, ...installedRoots(context)]) {
    // What is not there yet will appear in the nearest directory that is; far above, nobody waits for it.
    const existing = near.has(base) ? nearestDirectory(dir, base) : isDirectory(dir) ? dir : undefined;
    if (existing !== undefined) wanted.add(existing);
  }
  for (const { dir } of skills) wanted.add(dir);
  return new Set([...wanted].slice(0, MAX_WATCHED));
}

function nearestDirectory(dir: string, base: string): string | undefined {
  for (let place = dir; isInside(base, place); place = dirname(place)) if (isDirectory(place)) return place;
  return undefined;
}

/** Watches exactly these directories. One that was replaced by another of its name is a new one. */
function follow(watched: Map<string, Watched>, wanted: ReadonlySet<string>, changed: () => void): void {
  for (const [dir, { watcher, identity }] of watched) {
    if (wanted.has(dir) && identityOf(dir) === identity) continue;
    watcher.close();
    watched.delete(dir);
  }
  for (const dir of wanted) {
    const identity = identityOf(dir);
    if (watched.has(dir) || identity === undefined) continue;
    try {
      const watcher = watch(dir, { persistent: false }, changed);
      // A directory that goes away, or a system without watches left: then nothing is told, and nothing is wrong.
      watcher.on('error', () => {
        watcher.close();
        if (watched.get(dir)?.watcher === watcher) watched.delete(dir);
        changed();
      });
      watched.set(dir, { watcher, identity });
    } catch {
      // Gone since it was looked at, or no watches left.
    }
  }
}

/** Tells a directory from a later one of its name, which may have got the same inode. */
function identityOf(path: string): string | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status?.isDirectory() ? `${status.ino}:${status.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}
