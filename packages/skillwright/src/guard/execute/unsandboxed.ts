// No sandbox: the limits of a run without its walls, for a user who has asked for that.

import { checkUnchanged } from './check-unchanged.ts';
import { launcherOf } from './limits.ts';
import { makePrivateDirectory } from './private-directory.ts';
import { runToEnd } from './run-to-end.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';
import { sandboxVariables } from './sandbox-variables.ts';
import { startProcess } from './start-process.ts';

/** Runs commands as the user. The programs are those on the user's PATH; no other variable is inherited. */
export function createUnsandboxed(env: Readonly<Record<string, string | undefined>>): Sandbox {
  const start = (command: SandboxedCommand) => {
    const { checked = [], cwd, limits, signal } = command;
    checkUnchanged(checked);
    const own = makePrivateDirectory();
    const path = env.PATH === undefined ? {} : { PATH: env.PATH };
    const [file, ...words] = [...launcherOf(limits, { countsOwnProcesses: false }), ...command.argv];
    return startProcess({
      file: file!,
      args: words,
      env: { ...sandboxVariables, ...path, ...own.variables, ...command.env },
      cwd,
      limits,
      group: true,
      signal,
      afterwards: own.remove,
    });
  };
  return { name: 'none', start, run: async (command) => runToEnd(start(command), command) };
}
