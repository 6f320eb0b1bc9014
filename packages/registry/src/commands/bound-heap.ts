// Keeps the heap of a server small. V8 sizes it by the memory of the machine: on a large one it holds several times what the
// server needs before it collects garbage.

/** The young generation takes three times the first number at most, the old one grows by half before it is collected. */
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/** A process that may replace its program by another. */
export interface Replaceable {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  execve?(file: string, args: readonly string[]): void;
}

/**
 * Starts the program again with these flags, in the same process; they cannot be set later. Leaves a process alone whose heap
 * somebody else has sized, and systems that cannot replace a program.
 */
export function boundHeap({ argv, execArgv, execPath, env, execve }: Replaceable): void {
  if (execve === undefined) return;
  const given = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-');
  if (/--(?:max-semi-space-size|max-old-space-size|heap-growing-percent)/.test(given)) return;
  try {
    execve(execPath, [argv[0] ?? execPath, ...execArgv, ...FLAGS, ...argv.slice(1)]);
  } catch {
    // Not on this system: the server works, with a larger heap.
  }
}
