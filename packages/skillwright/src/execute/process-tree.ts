// What a process and its descendants use, as the kernel tells it.

import { readFileSync } from 'node:fs';

/** What a tree of processes uses. */
export interface TreeUse {
  /** Processes and threads. */
  readonly processes: number;
  /** Memory that belongs to no file: what the processes have asked for. */
  readonly bytes: number;
}

/** The use of the tree below and with `root`. What is over a limit is told as such, though it may be more. */
export function measureTree(root: number, limits: TreeUse): TreeUse {
  const waiting = [root];
  const found: number[] = [];
  let processes = 0;
  let bytes = 0;
  while (waiting.length > 0 && processes <= limits.processes) {
    const pid = waiting.pop()!;
    const status = read(`/proc/${pid}/status`);
    if (status === undefined) continue;
    found.push(pid);
    processes += numberIn(status, 'Threads');
    bytes += (numberIn(status, 'RssAnon') + numberIn(status, 'RssShmem') + numberIn(status, 'VmSwap')) * 1024;
    const children = read(`/proc/${pid}/task/${pid}/children`)?.trim();
    if (children) for (const child of children.split(' ')) waiting.push(Number(child));
  }
  const isTooMuch = bytes > limits.bytes && processes <= limits.processes;
  return { processes, bytes: isTooMuch ? Math.min(bytes, sharedOnce(found)) : bytes };
}

/** The same memory with pages that several processes share counted once. It costs more, so it is asked when it matters. */
function sharedOnce(pids: readonly number[]): number {
  let kibibytes = 0;
  for (const pid of pids) {
    const rollup = read(`/proc/${pid}/smaps_rollup`);
    // The kernel keeps it from this user, or the process has gone: the first answer stands.
    if (rollup === undefined) return Number.POSITIVE_INFINITY;
    for (const field of ['Pss_Anon', 'Pss_Shmem', 'SwapPss']) kibibytes += numberIn(rollup, field);
  }
  return kibibytes * 1024;
}

function numberIn(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** Undefined when the process has gone meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
