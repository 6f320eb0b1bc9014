// Runs commands directly on the machine, each with a private directory that is removed afterwards: without a sandbox, or
// on macOS with sandbox-exec, whose profile refuses everything it does not name.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, makePrivateDirectory, variableIn } from '../../base/files/index.ts';
import { launcherOf } from './limits.ts';
import { runToEnd } from './run-to-end.ts';
import { type Sandbox, type SandboxedCommand, sandboxVariables } from './sandbox.ts';
import { startProcess } from './start-process.ts';

/** Options for these commands. */
interface PrivateSandboxPlan {
  readonly name: Sandbox['name'];
  /** Arguments before a command whose private directory is `own`. */
  wrap?(command: SandboxedCommand, own: string): readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** The variables in which programs look for a home and for a place for temporary files. */
function privatePlaces(own: string, home: string): Record<string, string> {
  const places = { HOME: home, TMPDIR: own };
  return process.platform === 'win32' ? { ...places, USERPROFILE: home, TEMP: own, TMP: own } : places;
}

/** A sandbox of that kind. */
function createPrivateSandbox({ name, wrap, variables = {} }: PrivateSandboxPlan): Sandbox {
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
      env: { ...sandboxVariables, ...variables, ...privatePlaces(own.path, home), ...env },
      cwd,
      limits,
      group: true,
      signal,
      afterwards: own.remove,
    });
  };
  return { name, start, run: async (command) => runToEnd(start(command), command) };
}

/** Programs of Windows do not start without the variables after PATH. */
const inherited = ['PATH', 'SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT'];

/** Runs commands as the user, with the user's PATH; no other variable is inherited that says anything about the user. */
export function createUnsandboxed(env: Environment): Sandbox {
  const variables = inherited.flatMap((name) => {
    const value = variableIn(env, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return createPrivateSandbox({ name: 'none', variables: Object.fromEntries(variables) });
}

const PROGRAM = '/usr/bin/sandbox-exec';

/** The sandbox of macOS. */
export function createSandboxExec(): Sandbox {
  return createPrivateSandbox({
    name: 'sandbox-exec',
    wrap: (command, own) => [PROGRAM, '-p', sandboxProfile(command, own)],
  });
}

/** The system's program directories. */
const systemPaths = [
  '/bin',
  '/sbin',
  '/usr',
  '/System',
  '/Library/Apple',
  '/Library/Developer/CommandLineTools',
  '/private/var/select',
  '/private/var/db/timezone',
  '/private/etc/localtime',
];

const networkPaths = ['/private/etc/hosts', '/private/etc/resolv.conf', '/private/etc/ssl'];

/** The profile for a command whose private directory is `own`. Later lines win over earlier ones. */
export function sandboxProfile(command: SandboxedCommand, own: string): string {
  const { masked = [], network = false, readable, shown = [] } = command;
  const places = shown.map(({ from }) => from);
  const writable = shown.flatMap((place) => (place.writable ? [place.from] : []));
  const seen = [...systemPaths, ...(network ? networkPaths : []), ...readable, ...places, own];
  const lines = [
    '(version 1)',
    '(deny default)',
    '(import "system.sb")',
    '(allow process-exec process-fork)',
    '(allow process-info* signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))',
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))',
    `(allow file-read* ${seen.map(subpath).join(' ')})`,
    `(allow file-write* ${[own, ...writable].map(subpath).join(' ')})`,
    ...(masked.length === 0 ? [] : [`(deny file-read* file-write* ${masked.map(subpath).join(' ')})`]),
    network ? '(allow network* system-socket)' : '(deny network*)',
  ];
  return `${lines.join('\n')}\n`;
}

function subpath(path: string): string {
  return `(subpath "${path.replace(/[\\"]/g, '\\$&')}")`;
}
