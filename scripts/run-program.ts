// Runs a program to its end, for scripts.

import { spawnSync } from 'node:child_process';

/** Returns the output of a program. Throws with all of it when the program fails. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    // A registry that does not respond must not block for hours.
    timeout: 10 * 60 * 1000,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout ?? ''}${stderr ?? ''}`,
    );
  return stdout;
}
