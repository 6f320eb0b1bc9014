// What a process of a skill may use, and the launcher that lays these limits upon it.

import type { Config } from '../../skill/config/index.ts';

/** Limits of one command. */
export interface Limits {
  /** Wall time. */
  readonly seconds: number;
  /** Both streams together. */
  readonly outputBytes: number;
  /** What all processes together really use. */
  readonly memoryBytes: number;
  /** Processes and threads at a time. */
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
/** V8 asks for half a gibibyte that it never touches, for the program and for each of its workers. */
const RESERVED_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * The words that start a program under its limits. A limit that is already lower stays as it is. Which letter stands for
 * the number of processes differs between shells. Where this number would count what else the user runs it is left out.
 */
export function launcherOf(
  limits: Limits,
  { countsOwnProcesses }: { readonly countsOwnProcesses: boolean },
): string[] {
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
