// A control group for a run that lasts, where this user may make one: the kernel itself then counts every page, also
// those that belong to no process. Of version 2 as systemd delegates it, or of version 1 as root has it.

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { isInside, namesIn } from '../../base/files/index.ts';
import { isRunning } from './process-tree.ts';

/** The group of one run. */
export interface MemoryGroup {
  /** Takes in the processes that `list` names, until it names no other. False when there are ever new ones, or too many. */
  adopt(list: () => readonly number[] | undefined): boolean;
  /** Whether the kernel has ended a process because of the limit. */
  isOver(): boolean;
  /** Removes it when no process is left in it. */
  remove(): void;
}

interface Hierarchy {
  readonly parent: string;
  readonly limit: string;
  /** Settings besides; one the kernel does not know is left out. */
  readonly settings: (bytes: number) => Readonly<Record<string, string>>;
  readonly events: string;
}

/** What a process in the group starts is in it too; so only one that starts others and ends at once is ever ahead. */
const ADOPTING_ROUNDS = 100;

let made = 0;
/** Null: there is none to be had. */
let hierarchy: Hierarchy | null | undefined;

/** Makes a group whose processes together may use as much memory; undefined where that is not possible. */
export function openMemoryGroup(bytes: number): MemoryGroup | undefined {
  hierarchy ??= findHierarchy() ?? null;
  if (hierarchy === null) return undefined;
  const { parent, limit, settings, events } = hierarchy;
  const path = join(parent, `skc-${process.pid}-${made++}`);
  const write = (name: string, text: string) => writeFileSync(join(path, name), text, { flag: 'r+' });
  const remove = () => void orUndefined(() => rmdirSync(path));
  try {
    mkdirSync(path);
    write(limit, String(bytes));
  } catch {
    remove();
    hierarchy = null;
    return undefined;
  }
  for (const [name, text] of Object.entries(settings(bytes))) orUndefined(() => write(name, text));
  return {
    adopt(list) {
      const known = new Set<number>();
      for (let round = 0; round < ADOPTING_ROUNDS; round++) {
        const others = list()?.filter((pid) => !known.has(pid));
        if (others === undefined) return false;
        if (others.length === 0) return true;
        for (const pid of others) {
          orUndefined(() => write('cgroup.procs', String(pid))); // It may have gone.
          known.add(pid);
        }
      }
      return false;
    },
    isOver: () => /^oom_kill [1-9]/m.test(orUndefined(() => readFileSync(join(path, events), 'utf8')) ?? ''),
    remove,
  };
}

function findHierarchy(): Hierarchy | undefined {
  if (process.platform !== 'linux') return undefined;
  const own = orUndefined(() => readFileSync('/proc/self/cgroup', 'utf8')) ?? '';
  const mounts = orUndefined(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '';
  const found = unified(own, mounts) ?? classic(own, mounts);
  if (found !== undefined) removeStale(found.parent);
  return found;
}

/** Processes may be in a group or below it: so the new group lies below the own one, or beside it. */
function unified(own: string, mounts: string): Hierarchy | undefined {
  const path = placeOf(/^0::(.*)$/m.exec(own)?.[1], / - cgroup2 /, mounts);
  const parent = [path, path && dirname(path)].find((candidate) =>
    /\bmemory\b/.test(
      orUndefined(() => readFileSync(join(candidate ?? '', 'cgroup.subtree_control'), 'utf8')) ?? '',
    ),
  );
  if (parent === undefined) return undefined;
  const settings = () => ({ 'memory.swap.max': '0', 'memory.oom.group': '1' });
  return { parent, limit: 'memory.max', settings, events: 'memory.events' };
}

function classic(own: string, mounts: string): Hierarchy | undefined {
  const path = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m.exec(own)?.[1];
  const parent = placeOf(path, / - cgroup \S+ \S*\bmemory\b/, mounts);
  if (parent === undefined) return undefined;
  const settings = (bytes: number) => ({ 'memory.memsw.limit_in_bytes': String(bytes) });
  return { parent, limit: 'memory.limit_in_bytes', settings, events: 'memory.oom_control' };
}

/** Where a group is in the file system: a mount may show a part of the hierarchy only. */
function placeOf(path: string | undefined, kind: RegExp, mounts: string): string | undefined {
  const mount = mounts.split('\n').find((line) => kind.test(line));
  const [, , , root, point] = mount?.split(' ') ?? [];
  if (path === undefined || root === undefined || point === undefined || !isInside(root, path))
    return undefined;
  return join(point, relative(root, path));
}

/** Groups of processes that were killed are empty, and only such can be removed. */
function removeStale(parent: string): void {
  for (const name of namesIn(parent)) {
    const pid = /^skc-(\d+)-\d+$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) orUndefined(() => rmdirSync(join(parent, name)));
  }
}
