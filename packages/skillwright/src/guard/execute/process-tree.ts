// Measures the resources of a process and its descendants.

import { readFileSync, statfsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { namesIn } from '../../base/files/index.ts';

/** Resource use of a process tree. */
interface TreeUse {
  /** Processes and threads. */
  readonly processes: number;
  /** Memory not backed by files on disk: allocated by the processes, or held by the kernel for them. */
  readonly bytes: number;
}

/** Facts about a tree in its own namespaces. */
export interface OwnSpaces {
  /** Directories inside the sandbox whose files are in memory. */
  readonly memoryDirectories: readonly string[];
  /** No other process has sockets in the same network. */
  readonly network: boolean;
}

/** Whether a process exists and has not ended. */
export function isRunning(pid: number): boolean {
  const state = /^State:\s*(\S)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Measurements of a tree. Pages that processes share are counted for each of them. */
interface MeasuredTree extends TreeUse {
  readonly pids: readonly number[];
  /** The memory with shared pages counted once. */
  countOnce(): Promise<number>;
}

/** Resource use of `root` and its descendants. Measuring stops at a limit, so the real use may be higher. */
export function measureTree(root: number, limits: TreeUse, own?: OwnSpaces): MeasuredTree {
  const waiting = [root];
  const found: number[] = [];
  let processes = 0;
  let [taken, shared, kept] = [0, 0, 0];
  while (waiting.length > 0 && processes <= limits.processes) {
    const pid = waiting.pop()!;
    const status = read(`/proc/${pid}/status`);
    if (status === undefined) continue;
    found.push(pid);
    const threads = numberIn(status, 'Threads');
    processes += threads;
    taken += numberIn(status, 'RssAnon') + numberIn(status, 'VmSwap');
    shared += numberIn(status, 'RssShmem');
    kept += numberIn(status, 'VmPTE');
    if (processes <= limits.processes) waiting.push(...childrenOf(pid, threads));
  }
  const files = own === undefined ? 0 : bytesInFiles(found, own.memoryDirectories);
  const always = kept * 1024 + bytesOfPipes(found, limits.bytes) + (own?.network ? bytesOfSockets(found) : 0);
  const bytes = always + taken * 1024 + Math.max(shared * 1024, files);
  const countOnce = async () => Math.min(bytes, always + (await sharedOnce(found, files)));
  return { processes, bytes, pids: found, countOnce };
}

/** Children of all threads of a process: each thread has its own list. */
function childrenOf(pid: number, threads: number): number[] {
  const tasks = threads > 1 ? namesIn(`/proc/${pid}/task`) : [String(pid)];
  return tasks.flatMap((task) => {
    const children = read(`/proc/${pid}/task/${task}/children`)?.trim();
    return children ? children.split(' ').map(Number) : [];
  });
}

/** Slower, so used only near the limit. A process that forks all the time keeps the reader waiting, which must not block. */
async function sharedOnce(pids: readonly number[], files: number): Promise<number> {
  let [taken, shared] = [0, 0];
  for (const pid of pids) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => undefined);
    // Not readable for this user, or the process has ended: keep the first result.
    if (rollup === undefined) return Number.POSITIVE_INFINITY;
    taken += numberIn(rollup, 'Pss_Anon') + numberIn(rollup, 'SwapPss');
    shared += numberIn(rollup, 'Pss_Shmem');
  }
  return taken * 1024 + Math.max(shared * 1024, files);
}

/** Overhead of a file in memory. */
const NODE_BYTES = 2048;

/** Memory of the files in a tree's directories. All its processes see the same ones, so one readable process is enough. */
function bytesInFiles(pids: readonly number[], directories: readonly string[]): number {
  for (const pid of pids) {
    try {
      // Before the sandbox is set up, these are the machine's directories.
      if (statSync(`/proc/${pid}/root/`).dev === statSync('/').dev) return 0;
      return directories
        .map((path) => statfsSync(`/proc/${pid}/root${path}`))
        .map(
          ({ blocks, bfree, bsize, files, ffree }) => (blocks - bfree) * bsize + (files - ffree) * NODE_BYTES,
        )
        .reduce((sum, bytes) => sum + bytes, 0);
    } catch {
      // It has ended, or is not readable for this user.
    }
  }
  return 0;
}

/** More sockets than ordinary programs use. */
const FREE_SOCKETS = 256;
/** Usual maximum of a socket buffer. The kernel does not report its actual content. */
const SOCKET_BYTES = 416 * 1024;

function bytesOfSockets(pids: readonly number[]): number {
  const table = pids[0] === undefined ? undefined : read(`/proc/${pids[0]}/net/protocols`);
  if (table === undefined) return 0;
  const counts = [...table.matchAll(/^\S+\s+\d+\s+(\d+)/gm)].map(([, count]) => Number(count));
  const sockets = counts.reduce((sum, count) => sum + count, 0);
  return Math.max(0, sockets - FREE_SOCKETS) * SOCKET_BYTES;
}

/** More pipes than ordinary programs use. */
const FREE_PIPES = 256;
/** Capacity of a pipe. The kernel does not report its actual content. */
const PIPE_BYTES = 64 * 1024;

/** Threads share their open files, and several processes may share a pipe. */
function bytesOfPipes(pids: readonly number[], most: number): number {
  const places = pids.flatMap((pid) => namesIn(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`));
  if (places.length <= FREE_PIPES) return 0;
  const pipes = new Set<string>();
  for (const place of places) {
    const status = orUndefined(() => statSync(place));
    if (status?.isFIFO()) pipes.add(`${status.dev} ${status.ino}`);
    if ((pipes.size - FREE_PIPES) * PIPE_BYTES > most) break;
  }
  return Math.max(0, pipes.size - FREE_PIPES) * PIPE_BYTES;
}

function numberIn(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** Undefined when the process has ended. */
function read(path: string): string | undefined {
  return orUndefined(() => readFileSync(path, 'utf8'));
}
