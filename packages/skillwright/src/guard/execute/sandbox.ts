// The interface through which all code of a skill runs: scripts, dynamic context, toolsets, hooks.

import type { Readable, Writable } from 'node:stream';
import type { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Limits } from './limits.ts';

/** Kind of sandbox. `none` runs without one. */
export type SandboxName = 'bubblewrap' | 'sandbox-exec' | 'none';

/** A directory mounted at another path. */
export interface ShownPlace {
  /** Absolute real path. */
  readonly from: string;
  /** Absolute; the same as `from` where a sandbox cannot mount it elsewhere. */
  readonly at: string;
  /** Whether it is writable. */
  readonly writable?: boolean;
}

/** A command and the paths it may reach. Otherwise it sees only the system's programs. */
export interface SandboxedCommand {
  /** The program and its arguments, never a shell line. A plain name is looked up on the PATH of the sandbox. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute; must be below a mounted path. */
  readonly cwd: string;
  /** Variables in addition to those every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute real paths mounted read-only at the same path. */
  readonly readable: readonly string[];
  /** Mounted after the others, in this order. */
  readonly shown?: readonly ShownPlace[];
  /** Absolute real paths below the others that are hidden. */
  readonly masked?: readonly string[];
  /**
   * Whether it sees only a private copy of files and the system's programs. Otherwise it may reach directories in which other
   * programs listen on sockets, or files that only the user may read.
   */
  readonly alone?: boolean;
  /** Default: no network and no sockets of the machine. */
  readonly network?: boolean;
  readonly limits: Limits;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a command was stopped from outside. */
export type StopReason = 'time' | 'output' | 'memory' | 'processes' | 'asked';

/** The same for people. */
export const stopProblems: Readonly<Record<StopReason, string>> = {
  time: 'it took too long',
  output: 'it wrote too much',
  memory: 'it used too much memory',
  processes: 'it started too many processes',
  asked: 'it was stopped',
};

/** How a process ended. */
export interface ProcessEnd {
  /** 128 + the signal number for a process ended by a signal. */
  readonly exitCode: number;
  /** Undefined when it ended by itself. */
  readonly stopped: StopReason | undefined;
  /** E074 when the sandbox could not start the program. */
  readonly failure: SkillwrightError | undefined;
}

/** A running process. Its holder limits its time and output. */
export interface SandboxedProcess {
  /** Its standard input. Input it does not read is dropped. */
  readonly input: Writable;
  /** Its standard output. Only a small buffer is read ahead, so a flood blocks the writer. */
  readonly stdout: Readable;
  /** Its error stream, for callers that count it. It flows even without a listener. */
  readonly errors: Readable;
  /** Its error output so far, the first 64 KiB. */
  stderr(): string;
  /** Kills it and all its descendants. */
  kill(reason?: StopReason): void;
  /** Settles when all its processes are gone. Never rejects. */
  readonly exited: Promise<ProcessEnd>;
}

/** Result of a finished command. */
export interface RunResult extends Omit<ProcessEnd, 'failure'> {
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** A sandbox that was tested on this machine. */
export interface Sandbox {
  readonly name: SandboxName;
  /** Whether it can mount a directory at another path. */
  readonly relocates?: boolean;
  /** Runs a command to its end within its limits. E074 when it cannot start; rejects when its signal aborts. */
  run(command: SandboxedCommand & { readonly stdin?: string | Uint8Array | undefined }): Promise<RunResult>;
  /** Starts an interactive command. */
  start(command: SandboxedCommand): SandboxedProcess;
}

/** The home directory inside the sandbox: empty, and removed afterwards. */
export const PRIVATE_HOME = '/tmp/home';

/** Variables with the same value in every sandbox. */
export const sandboxVariables: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: PRIVATE_HOME,
  TMPDIR: '/tmp',
  USER: 'nobody',
  LOGNAME: 'nobody',
  LANG: 'C.UTF-8',
  // Unbuffered, so that output before a limit is kept.
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};
