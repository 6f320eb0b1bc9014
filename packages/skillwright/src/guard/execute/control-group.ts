// Control groups for a run, if this user may create them: the kernel then counts every page, even those that belong to no
// process, and every process, also of root, for whom it ignores other limits. Version 2 as delegated by systemd, or version
// 1 as root.

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { isInside, namesIn } from '../../base/files/index.ts';
import { isRunning } from './process-tree.ts';

/** The group of one run. */
export interface ControlGroup {
  /** Adds a process. False when it has ended, or the group is gone. */
  add(pid: number): boolean;
  /** Adds the processes from `list` until no new ones appear. False when they keep appearing, or there are too many. */
  adopt(list: () => readonly number[] | undefined): boolean;
  /** Whether the kernel killed a process, or refused one, because of the limit. */
  isOver(): boolean;
  /** Removes the empty group. */
  remove(): void;
}

/** Resources the kernel counts. */
type Controller = 'memory' | 'pids';

interface Hierarchy {
  readonly parent: string;
  readonly limit: string;
  /** Optional settings; unknown ones are skipped. */
  readonly settings: (limit: number) => Readonly<Record<string, string>>;
  readonly events: string;
}

/** The line of the file of events that says so. */
const over: Readonly<Record<Controller, RegExp>> = { memory: /^oom_kill [1-9]/m, pids: /^max [1-9]/m };

/** Children join the group of their parent, so only a process that forks and exits at once can escape a round. */
const ADOPTING_ROUNDS = 100;

let made = 0;
/** Null when no group can be created. */
const hierarchies = new Map<Controller, Hierarchy | null>();

/** Creates a group with a limit on bytes of memory or on processes; undefined where that is not possible. */
export function openControlGroup(controller: Controller, most: number): ControlGroup | undefined {
  const known = hierarchies.get(controller);
  const hierarchy = known === undefined ? (findHierarchy(controller) ?? null) : known;
  hierarchies.set(controller, hierarchy);
  if (hierarchy === null) return undefined;
  const { parent, limit, settings, events } = hierarchy;
  const path = join(parent, `skc-${process.pid}-${made++}`);
  const write = (name: string, text: string) => writeFileSync(join(path, name), text, { flag: 'r+' });
  const remove = () => void orUndefined(() => rmdirSync(path));
  try {
    mkdirSync(path);
    write(limit, String(most));
  } catch {
    remove();
    hierarchies.set(controller, null);
    return undefined;
  }
  for (const [name, text] of Object.entries(settings(most))) orUndefined(() => write(name, text));
  const add = (pid: number) =>
    orUndefined(() => {
      write('cgroup.procs', String(pid));
      return true;
    }) ?? false;
  return {
    add,
    adopt(list) {
      const known = new Set<number>();
      for (let round = 0; round < ADOPTING_ROUNDS; round++) {
        const others = list()?.filter((pid) => !known.has(pid));
        if (others === undefined) return false;
        if (others.length === 0) return true;
        for (const pid of others) {
          add(pid);
          known.add(pid);
        }
      }
      return false;
    },
    isOver: () => over[controller].test(orUndefined(() => readFileSync(join(path, events), 'utf8')) ?? ''),
    remove,
  };
}

function findHierarchy(controller: Controller): Hierarchy | undefined {
  if (process.platform !== 'linux') return undefined;
  const own = orUndefined(() => readFileSync('/proc/self/cgroup', 'utf8')) ?? '';
  const mounts = orUndefined(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '';
  const found = unified(controller, own, mounts) ?? classic(controller, own, mounts);
  if (found !== undefined) removeStale(found.parent);
  return found;
}

/** A group has either processes or subgroups, so the new group goes below our own group or next to it. */
function unified(controller: Controller, own: string, mounts: string): Hierarchy | undefined {
  const path = groupPath(/^0::(.*)$/m.exec(own)?.[1], / - cgroup2 /, mounts);
  const parent = [path, path && dirname(path)].find((candidate) =>
    orUndefined(() => readFileSync(join(candidate ?? '', 'cgroup.subtree_control'), 'utf8'))
      ?.split(/\s/)
      .includes(controller),
  );
  if (parent === undefined) return undefined;
  if (controller === 'pids') return { parent, ...pidsFiles };
  const settings = () => ({ 'memory.swap.max': '0', 'memory.oom.group': '1' });
  return { parent, limit: 'memory.max', settings, events: 'memory.events' };
}

/** Both versions have the same files for processes. */
const pidsFiles = { limit: 'pids.max', settings: () => ({}), events: 'pids.events' };

function classic(controller: Controller, own: string, mounts: string): Hierarchy | undefined {
  const path = new RegExp(`^\\d+:(?:[^:\\n]*,)?${controller}(?:,[^:\\n]*)?:(.*)$`, 'm').exec(own)?.[1];
  const parent = groupPath(path, new RegExp(` - cgroup \\S+ \\S*\\b${controller}\\b`), mounts);
  if (parent === undefined) return undefined;
  if (controller === 'pids') return { parent, ...pidsFiles };
  const settings = (bytes: number) => ({ 'memory.memsw.limit_in_bytes': String(bytes) });
  return { parent, limit: 'memory.limit_in_bytes', settings, events: 'memory.oom_control' };
}

/** Path of a group in the file system: a mount may show only a part of the hierarchy. */
function groupPath(path: string | undefined, kind: RegExp, mounts: string): string | undefined {
  const mount = mounts.split('\n').find((line) => kind.test(line));
  const [, , , root, point] = mount?.split(' ') ?? [];
  if (path === undefined || root === undefined || point === undefined || !isInside(root, path))
    return undefined;
  return join(point, relative(root, path));
}

/** Removes empty groups of killed processes. Only empty groups can be removed. */
function removeStale(parent: string): void {
  for (const name of namesIn(parent)) {
    const pid = /^skc-(\d+)-\d+$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) orUndefined(() => rmdirSync(join(parent, name)));
  }
}
