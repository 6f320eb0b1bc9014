// The port behind which everything of a skill is run: scripts, dynamic context, toolsets, hooks.

import type { Readable } from 'node:stream';
import type { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Limits } from './limits.ts';

/** How processes are kept in. `none` is no sandbox at all. */
export type SandboxName = 'bubblewrap' | 'sandbox-exec' | 'none';

/** A directory that is shown somewhere else inside. */
export interface ShownPlace {
  /** Absolute real path. */
  readonly from: string;
  /** Absolute; the same as `from` where a sandbox cannot show it elsewhere. */
  readonly at: string;
  /** It may be changed. */
  readonly writable?: boolean;
}

/** What is run, and what it may reach. Besides what is named here it sees the programs of the system and nothing else. */
export interface SandboxedCommand {
  /** The program and its arguments, never a line for a shell. A plain name is looked up on the PATH of the sandbox. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute; must lie below something that is shown. */
  readonly cwd: string;
  /** Variables on top of the few that every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute real paths shown at their own place, read-only. */
  readonly readable: readonly string[];
  /** Shown after the others, in this order. */
  readonly shown?: readonly ShownPlace[];
  /** Absolute real paths below the others that are empty inside. */
  readonly masked?: readonly string[];
  /** Default: no network, and no socket of the machine. */
  readonly network?: boolean;
  readonly limits: Limits;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a command was stopped from outside. */
export type StopReason = 'time' | 'output' | 'memory' | 'processes' | 'asked';

/** How a process ended. */
export interface ProcessEnd {
  /** 128 + the number of the signal for a process that a signal ended. */
  readonly exitCode: number;
  /** Undefined when it ended by itself. */
  readonly stopped: StopReason | undefined;
  /** E074: the sandbox could not start the program at all. */
  readonly failure: SkillwrightError | undefined;
}

/** A process that goes on until it ends or is killed. Time and output are limited by whoever holds it. */
export interface SandboxedProcess {
  /** Writes to its standard input. What it no longer reads is dropped. */
  write(data: string | Uint8Array): void;
  /** Closes its standard input. */
  end(): void;
  /** Its standard output. Nothing is read ahead beyond a small buffer, so a flood waits until it is wanted. */
  readonly stdout: Readable;
  /** Its error stream, for those who count it. It flows whether it is listened to or not. */
  readonly errors: Readable;
  /** What it has written to its error stream so far, the first 64 KiB. */
  stderr(): string;
  /** Ends it and every process it has started. */
  kill(reason?: StopReason): void;
  /** Settles when nothing of it is left. Never rejects. */
  readonly exited: Promise<ProcessEnd>;
}

/** What a command that was waited for has left. */
export interface RunResult extends Omit<ProcessEnd, 'failure'> {
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** A sandbox that has been seen working on this machine. */
export interface Sandbox {
  readonly name: SandboxName;
  /** Whether it can show a directory at another place than its own. */
  readonly relocates?: boolean;
  /** Runs a command to its end and within all its limits. E074 when it cannot be started; rejects when its signal aborts. */
  run(command: SandboxedCommand & { readonly stdin?: string | Uint8Array | undefined }): Promise<RunResult>;
  /** Starts a command to talk with. */
  start(command: SandboxedCommand): SandboxedProcess;
}
