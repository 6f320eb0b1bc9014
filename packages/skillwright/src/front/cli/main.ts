// The process around the command line: the only file that uses argv, streams and exit.

import { fstatSync } from 'node:fs';
import { devNull, homedir } from 'node:os';
import { resolve } from 'node:path';
import { targetAt, writeError } from '../../base/files/index.ts';
import { readVariable } from '../../base/variables.ts';
import { describeRuntime } from '../../base/version.ts';
import { type CliStream, runCli } from './run-cli.ts';
import { writeFully } from './write-fully.ts';

function streamOf(descriptor: 1 | 2): CliStream {
  let open = true;
  let known: boolean | undefined;
  return {
    write(text) {
      if (!open || text === '') return;
      try {
        open = writeFully(descriptor, text);
      } catch (error) {
        open = false;
        // A broken stderr cannot be reported.
        if (descriptor === 1) throw writeError('standard output', error);
      }
    },
    get isTerminal() {
      known ??= isTerminal(descriptor);
      return known;
    },
    get columns() {
      // Creating the stream is slow, and only a terminal has columns.
      return (this.isTerminal && (descriptor === 1 ? process.stdout : process.stderr).columns) || 80;
    },
  };
}

/** `node:tty` costs 3 ms to load, so a file, a pipe and the null device are ruled out first. */
function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const status = fstatSync(descriptor);
    if (!status.isCharacterDevice() || isNullDevice(status.rdev)) return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
  } catch {
    // The descriptor is closed.
    return false;
  }
}

function isNullDevice(device: number): boolean {
  const status = targetAt(devNull);
  return status?.isCharacterDevice() === true && status.rdev === device;
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    // The working directory was deleted: every relative path will fail with its own message.
    return '/';
  }
}

function homeDirectory(): string {
  try {
    return resolve(readVariable(process.env, 'HOME') ?? homedir());
  } catch {
    // An account without a home directory has no skills of its own.
    return '/';
  }
}

/** Created on first use: only a command that asks for it handles Ctrl-C itself. */
function makeSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

let signal: AbortSignal | undefined;

const status = await runCli(process.argv.slice(2), {
  cwd: workingDirectory(),
  home: homeDirectory(),
  env: process.env,
  now: () => new Date(),
  get launch() {
    // The executable is its own script.
    const args = describeRuntime().runtime === 'native' ? [] : process.argv.slice(1, 2);
    return { command: process.execPath, args };
  },
  stdout: streamOf(1),
  stderr: streamOf(2),
  stdin: () => process.stdin,
  openTerminal: async () => (await import('../picker/own-terminal.ts')).ownTerminal(writeFully),
  get isInteractive() {
    return isTerminal(0);
  },
  get signal() {
    signal ??= makeSignal();
    return signal;
  },
});
process.exit(status);
