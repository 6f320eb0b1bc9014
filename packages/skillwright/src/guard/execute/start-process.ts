// Starts and supervises one process: its streams, its memory, its end.

import type { ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  describeSystemError,
  killGroup,
  namesIn,
  startChild,
  systemErrorCode,
} from '../../base/files/index.ts';
import type { ControlGroup } from './control-group.ts';
import type { Limits } from './limits.ts';
import { isRunning, measureTree, type OwnSpaces } from './process-tree.ts';
import type { ProcessEnd, SandboxedProcess, StopReason } from './sandbox.ts';

/** Options for starting a process. */
export interface ProcessPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly limits: Limits;
  /** Data for the descriptors from 4 on. */
  readonly inputs?: readonly Uint8Array[];
  /** The program reports like bubblewrap on descriptor 3: the process it started, and its exit status. */
  readonly reports?: boolean;
  /** Facts about the namespaces that affect the memory count. */
  readonly own?: OwnSpaces;
  /** Creates a group in which the kernel counts the memory of a longer process. */
  readonly memoryGroup?: () => ControlGroup | undefined;
  /** The group in which the kernel counts the processes. The process joins it before the program starts. */
  readonly processGroup?: ControlGroup | undefined;
  /** Number of the user it runs as, if that is another one. */
  readonly user?: number | undefined;
  /** The process leads a process group that is killed as a whole. */
  readonly group?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Cleans up after the process. */
  readonly afterwards?: () => void;
}

const MAX_KEPT_STDERR = 64 * 1024;
const MEASURE_EVERY_MS = 25;
/** A tree whose memory cannot be counted in this time has more than allowed. */
const MAX_COUNTING_MS = 2000;
/** Creating and joining a group takes as long as a short script, so short runs skip it. */
const GROUP_AFTER_MS = 250;
/** An ended process may have passed its streams to another that cannot be found. */
const STREAM_GRACE_MS = 500;
/** A killed process ends soon, unless the machine is busy. */
const GONE_GRACE_MS = 1000;

/** Starts a process. A failure to start is reported in how it ended. */
export function startProcess(plan: ProcessPlan): SandboxedProcess {
  const child = spawnChild(plan);
  const { inputs = [], processGroup } = plan;
  for (const [index, bytes] of inputs.entries()) feed(child.stdio[4 + index] as Writable, bytes);
  if (processGroup !== undefined) {
    // Without the line the program does not start.
    const isCounted = child.pid !== undefined && processGroup.add(child.pid);
    feed(child.stdio[4 + inputs.length] as Writable, Buffer.from(isCounted ? '\n' : ''));
  }
  const report = followReport(plan.reports ? (child.stdio[3] as Readable) : undefined);
  let stopped: StopReason | undefined;
  let hasEnded = false;
  let group: ControlGroup | undefined;
  let isGrouped = false;
  let isCounting = false;
  const started = performance.now();

  const kill = (reason: StopReason = 'asked') => {
    if (hasEnded) return;
    stopped ??= reason;
    if (plan.group) killGroup(child.pid);
    // Kill the supervisor last: if it dies early, the others run on without it.
    if (plan.reports) report.whenStarted((pid) => sendKill(pid));
    else child.kill('SIGKILL');
  };
  const measure = setInterval(() => {
    const root = plan.reports ? report.innerPid() : child.pid;
    if (root === undefined || process.platform !== 'linux') return;
    // One more than the limit, for the sandbox's own process.
    const most = plan.limits.processes + 1;
    const limits = { processes: most, bytes: plan.limits.memoryBytes };
    if (plan.processGroup?.isOver()) return kill('processes');
    const tree = measureTree(root, limits, plan.own);
    if (tree.processes > most) return kill('processes');
    if (group?.isOver()) return kill('memory');
    if (tree.bytes > limits.bytes && !isCounting) {
      isCounting = true;
      void Promise.race([tree.countOnce(), setTimeout(MAX_COUNTING_MS, tree.bytes, { ref: false })]).then(
        (bytes) => {
          isCounting = false;
          if (bytes > limits.bytes) kill('memory');
        },
      );
    }
    if (!isGrouped && performance.now() - started > GROUP_AFTER_MS) {
      isGrouped = true;
      group = plan.memoryGroup?.();
      const isCounted = group?.adopt(() => {
        const { processes, pids } = measureTree(root, limits);
        return processes > most ? undefined : pids;
      });
      if (isCounted === false) kill('processes');
    }
  }, MEASURE_EVERY_MS).unref();
  const stop = () => kill('asked');
  if (plan.signal?.aborted) stop();
  else plan.signal?.addEventListener('abort', stop, { once: true });

  const input = child.stdin!;
  input.on('error', () => {}); // It no longer reads; ignore that.
  const errors = child.stderr!;
  const kept = keepStart(errors);
  const exited = waitForEnd(child, { leadsGroup: plan.group === true }).then(
    async ({ exitCode, error }): Promise<ProcessEnd> => {
      hasEnded = true;
      clearInterval(measure);
      plan.signal?.removeEventListener('abort', stop);
      await report.finished;
      await untilGone(report.innerPid());
      if (plan.processGroup?.isOver()) stopped ??= 'processes';
      if (group?.isOver()) stopped ??= 'memory';
      for (const made of [group, plan.processGroup]) made?.remove();
      plan.afterwards?.();
      const why =
        error ?? (plan.reports && !report.hasStarted() && !stopped ? startFailure(kept()) : undefined);
      const failure = why === undefined ? undefined : SkillwrightError.of('E074', { why });
      return { exitCode, stopped, failure };
    },
  );
  return {
    input,
    errors,
    stdout: child.stdout!,
    exited,
    kill,
    stderr: kept,
  };
}

function spawnChild(plan: ProcessPlan): ChildProcess {
  const { cwd, env, inputs = [], reports = false, group = false, processGroup, user, afterwards } = plan;
  const isHeld = processGroup !== undefined;
  const count = 3 + (reports ? 1 : 0) + inputs.length + (isHeld ? 1 : 0);
  const stdio: (number | 'pipe' | 'ignore')[] = Array.from({ length: count }, () => 'pipe');
  const gate = count - 1;
  const held = ['-c', `read -r _ <&${gate} && exec ${gate}<&- "$@"`, 'sh', plan.file, ...plan.args];
  const [file, args] = isHeld ? ['/bin/sh', held] : [plan.file, plan.args];
  // Replace inherited descriptors, which the child must not get.
  for (const descriptor of inheritedDescriptors()) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] ??= emptyDescriptor();
  }
  try {
    return startChild(file, args, { cwd, env, detached: group, stdio, user });
  } catch (error) {
    afterwards?.();
    if (systemErrorCode(error) !== 'E2BIG') throw error;
    throw SkillwrightError.of('E075', { why: 'together they are longer than the system allows' });
  }
}

function feed(stream: Writable, bytes: Uint8Array): void {
  stream.on('error', () => {}); // A sandbox that fails to start closes it early, and reports why.
  stream.end(bytes);
}

interface Report {
  /** Process number of the first process inside, as seen from here. */
  innerPid(): number | undefined;
  /** Calls back with it as soon as it is known. */
  whenStarted(listener: (pid: number) => void): void;
  /** Whether the program itself started. */
  hasStarted(): boolean;
  readonly finished: Promise<void>;
}

function followReport(stream: Readable | undefined): Report {
  let text = '';
  let innerPid: number | undefined;
  const listeners: ((pid: number) => void)[] = [];
  const finished = new Promise<void>((resolve) => {
    if (stream === undefined) return resolve();
    stream.on('data', (chunk) => {
      text += String(chunk);
      const found = /"child-pid": (\d+)/.exec(text)?.[1];
      if (innerPid !== undefined || found === undefined) return;
      innerPid = Number(found);
      for (const listener of listeners) listener(innerPid);
    });
    stream.on('close', resolve);
    stream.on('error', () => resolve());
  });
  return {
    innerPid: () => innerPid,
    whenStarted: (listener) => void (innerPid === undefined ? listeners.push(listener) : listener(innerPid)),
    hasStarted: () => text.includes('"exit-code"'),
    finished,
  };
}

function keepStart(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < MAX_KEPT_STDERR) chunks.push(chunk.subarray(0, MAX_KEPT_STDERR - size));
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The exit status, once the streams are closed or shortly after the process has ended. */
function waitForEnd(
  child: ChildProcess,
  { leadsGroup }: { readonly leadsGroup: boolean },
): Promise<{ exitCode: number; error: string | undefined }> {
  return new Promise((resolve) => {
    const statusOf = (code: number | null, signal: NodeJS.Signals | null) =>
      code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    child.on('error', (error) => {
      // Also emitted when a process can no longer be signalled; then its end is reported as usual.
      if (child.pid === undefined) resolve({ exitCode: 127, error: describeSystemError(error) });
    });
    child.on('exit', (code, signal) => {
      // Windows knows only the children of a process that still runs.
      if (leadsGroup && process.platform !== 'win32') killGroup(child.pid);
      globalThis
        .setTimeout(() => {
          if (leadsGroup) for (const stream of child.stdio) stream?.destroy();
          resolve({ exitCode: statusOf(code, signal), error: undefined });
        }, STREAM_GRACE_MS)
        .unref();
    });
    child.on('close', (code, signal) => resolve({ exitCode: statusOf(code, signal), error: undefined }));
  });
}

/** Waits for the first process inside: its parent ends earlier, and all others end with it. */
async function untilGone(pid: number | undefined): Promise<void> {
  const end = performance.now() + GONE_GRACE_MS;
  for (let pause = 1; pid !== undefined && isRunning(pid) && performance.now() < end; pause *= 2)
    await setTimeout(Math.min(pause, 16));
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function startFailure(text: string): string {
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/^bwrap: /, '');
  return line === '' ? 'it ended before the program started' : line;
}

// Open files that this process inherited and would pass on to its children.

const CLOSE_ON_EXEC = 0o2000000;
const FIRST = 3;

let known: readonly number[] | undefined;

/** Inheritable descriptors above the three standard ones, in order. Looked up once: Node opens none of this kind. */
function inheritedDescriptors(): readonly number[] {
  known ??= listDescriptors()
    .filter((descriptor) => descriptor >= FIRST && isPassedOn(descriptor))
    .sort((a, b) => a - b);
  return known;
}

let nothing: number | undefined;

/** A descriptor of /dev/null, to replace another. */
function emptyDescriptor(): number {
  nothing ??= openSync('/dev/null', 'r+');
  return nothing;
}

function listDescriptors(): number[] {
  return namesIn(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd').map(Number);
}

/** Whether a child would inherit a descriptor; outside Linux, assumed for all. */
function isPassedOn(descriptor: number): boolean {
  const info = orUndefined(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'));
  if (info === undefined) return process.platform !== 'linux';
  return (Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8) & CLOSE_ON_EXEC) === 0;
}
