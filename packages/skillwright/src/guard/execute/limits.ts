// Resource limits of a skill's processes, and the launcher that sets them.

import type { Config } from '../../skill/config/index.ts';

/** Limits of one command. */
export interface Limits {
  /** Wall time. */
  readonly seconds: number;
  /** Both streams together. */
  readonly outputBytes: number;
  /** Memory that all processes actually use. */
  readonly memoryBytes: number;
  /** Concurrent processes and threads. */
  readonly processes: number;
  /** Size of a file. */
  readonly fileBytes: number;
}

/** The configured limits. */
export function limitsOf({ scripts }: Pick<Config, 'scripts'>): Limits {
  return {
    seconds: scripts.timeout,
    outputBytes: scripts.max_output,
    memoryBytes: scripts.max_memory,
    processes: scripts.max_processes,
    fileBytes: scripts.max_file,
  };
}

const MAX_OPEN_FILES = 1024;
/** V8 reserves half a gibibyte that it never uses, for the program and for each worker. */
const RESERVED_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * Arguments that start a program with its limits; none on Windows, where only time and output are limited. A lower existing limit stays. The letter for
 * the number of processes differs between shells. That limit is left out where it would count the user's other processes.
 */
export function launcherOf(
  limits: Limits,
  {
    countsOwnProcesses,
    platform = process.platform,
  }: { readonly countsOwnProcesses: boolean; readonly platform?: NodeJS.Platform },
): string[] {
  if (platform === 'win32') return [];
  const kibibytes = Math.ceil((limits.memoryBytes + RESERVED_BYTES) / 1024);
  const blocks = Math.ceil(limits.fileBytes / 512);
  const lines = [
    'ulimit -c 0',
    `ulimit -n ${MAX_OPEN_FILES}`,
    `ulimit -f ${blocks}`,
    `ulimit -d ${kibibytes}`,
    ...(countsOwnProcesses ? [`ulimit -u ${limits.processes} || ulimit -p ${limits.processes}`] : []),
  ];
  return ['/bin/sh', '-c', `{ ${lines.join('; ')}; } 2>/dev/null; exec "$@"`, 'sh'];
}
