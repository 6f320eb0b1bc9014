// Runs commands directly on the machine, each with a private directory that is removed afterwards.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launcherOf } from './limits.ts';
import { makePrivateDirectory } from './private-directory.ts';
import { runToEnd } from './run-to-end.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';
import { sandboxVariables } from './sandbox-variables.ts';
import { startProcess } from './start-process.ts';

/** Options for these commands. */
interface PrivateSandboxPlan {
  readonly name: Sandbox['name'];
  /** Arguments before a command whose private directory is `own`. */
  wrap?(command: SandboxedCommand, own: string): readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** A sandbox of that kind. */
export function createPrivateSandbox({ name, wrap, variables = {} }: PrivateSandboxPlan): Sandbox {
  const start = (command: SandboxedCommand) => {
    const { argv, cwd, env, limits, signal } = command;
    const own = makePrivateDirectory();
    const home = join(own.path, 'home');
    mkdirSync(home);
    const launcher = launcherOf(limits, { countsOwnProcesses: false });
    const [file, ...args] = [...(wrap?.(command, own.path) ?? []), ...launcher, ...argv];
    return startProcess({
      file: file!,
      args,
      env: { ...sandboxVariables, ...variables, HOME: home, TMPDIR: own.path, ...env },
      cwd,
      limits,
      group: true,
      signal,
      afterwards: own.remove,
    });
  };
  return { name, start, run: async (command) => runToEnd(start(command), command) };
}
