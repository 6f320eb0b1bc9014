// Child processes that work for a server. The server only forwards messages, so it always responds: work that takes too
// long is killed with its process, while other processes handle other requests.

import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { startChild } from '../../base/files/index.ts';
import { type Failure, type Order, READY, type Report } from './serve-deputy.ts';

/** Most processes, and most of them on long work. */
const MAX_DEPUTIES = 8;
const MAX_LONG = 4;

/** How often to check for stuck processes. */
const LOOK_MS = 50;

/** How long a process may take to start. */
const START_MS = 5000;

/** An idle process ends after this time; the first one stays. */
const IDLE_MS = 30_000;

/** Time a process gets to exit cleanly. */
const GRACE_MS = 700;

/** How to start a deputy. */
interface DeputyStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Work to do. */
export interface Assignment {
  readonly method: string;
  /** Parameters; a function is called when the work starts. */
  readonly params: unknown;
  /** Name in messages. */
  readonly what: string;
  readonly limitMs: number;
  /** It may take long: short work must not wait for it. */
  readonly isLong?: boolean;
  /** Owner of the work: it goes to the process that worked for that owner before, unless that one is stuck. */
  readonly key?: string | undefined;
  /**
   * It mostly waits for other programs: the process does other work meanwhile, and is killed for it only when it ignores a
   * cancellation.
   */
  readonly isAside?: boolean;
  /** Only the first process may do it. */
  readonly byFirst?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Receives messages during the work. */
  readonly hears?: ((said: unknown) => void) | undefined;
}

/** All deputies of one server. */
export interface Deputies {
  /** The result. E090 when it takes too long, E091 when its process exits; other failures are thrown unchanged. */
  ask(assignment: Assignment): Promise<unknown>;
  /** Stops all of them, busy or not. */
  close(): Promise<void>;
}

/** Options of the pool. */
interface DeputyOptions {
  readonly start: DeputyStart;
  /** Receives events of the first process. */
  readonly onEvent?: (event: string) => void;
  /** Called when the first process has exited and was replaced. */
  readonly onReplaced?: () => void;
  /** How long short work waits for a busy process before another one is started. */
  readonly patienceMs: number;
  /** Creates an error of the server's protocol. */
  readonly numbered?: (number: number, message: string) => Error;
}

interface Task extends Assignment {
  readonly id: number;
  readonly done: PromiseWithResolvers<unknown>;
}

interface Deputy {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly isFirst: boolean;
  /** Owners it has worked for. */
  readonly keys: Set<string>;
  /** Whether it has started and can work. */
  isReady: boolean;
  task: Task | undefined;
  /** Work it does besides the task. */
  readonly asides: Set<Task>;
  /** When the task started, or the last one finished. */
  since: number;
}

/** Starts the first deputy, and more when needed. */
export function openDeputies(options: DeputyOptions): Deputies {
  return new DeputyPool(options);
}

class DeputyPool implements Deputies {
  readonly options: DeputyOptions;
  readonly deputies = new Set<Deputy>();
  queue: Task[] = [];
  nextId = 1;
  isClosed = false;
  tick: NodeJS.Timeout | undefined;

  constructor(options: DeputyOptions) {
    this.options = options;
    this.hire(true);
  }

  ask(assignment: Assignment): Promise<unknown> {
    const task: Task = { ...assignment, id: this.nextId++, done: Promise.withResolvers() };
    const { limitMs, what, signal } = task;
    const limit = setTimeout(() => {
      const seconds = String(Math.ceil(limitMs / 1000));
      this.giveUp(task, SkillwrightError.of('E090', { what, seconds }, { help: TOO_LONG }));
    }, limitMs);
    const cancel = () => this.cancel(task);
    signal?.addEventListener('abort', cancel, { once: true });
    this.queue.push(task);
    if (signal?.aborted) cancel();
    else this.assign();
    return task.done.promise.finally(() => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', cancel);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.tick);
    for (const { done, what } of this.queue.splice(0)) done.reject(ended(what));
    await Promise.all([...this.deputies].map((deputy) => this.dismiss(deputy, ended('the server'))));
  }

  /** Schedules the next check: soon while work waits, later while a process may be idle, otherwise never. */
  plan(): void {
    clearTimeout(this.tick);
    if (this.isClosed || (this.queue.length === 0 && this.deputies.size < 2)) return;
    this.tick = setTimeout(() => this.look(), this.queue.length > 0 ? LOOK_MS : IDLE_MS / 4).unref();
  }

  look(): void {
    const oldest = performance.now() - IDLE_MS;
    for (const deputy of this.deputies)
      if (!deputy.isFirst && deputy.task === undefined && deputy.asides.size === 0 && deputy.since < oldest)
        void this.dismiss(deputy);
    this.assign();
  }

  /** Assigns waiting work to free processes, in order. */
  assign(): void {
    this.queue = this.queue.filter((task) => {
      const deputy = this.isClosed ? undefined : this.find(task);
      if (deputy === undefined) return true;
      if (task.isAside) deputy.asides.add(task);
      else deputy.task = task;
      deputy.since = performance.now();
      if (task.key !== undefined) deputy.keys.add(task.key);
      const { id, method, params } = task;
      this.send(deputy, { id, method, params: typeof params === 'function' ? params() : params });
      return false;
    });
    this.plan();
  }

  find({ isLong = false, byFirst = false, key }: Task): Deputy | undefined {
    const all = [...this.deputies];
    const known = key === undefined ? undefined : all.find(({ keys }) => keys.has(key));
    if (known !== undefined && (known.task === undefined || !this.isStuck(known)))
      return known.task === undefined ? known : undefined;
    const free = all.filter(
      ({ task, isFirst }) => task === undefined && (byFirst ? isFirst : !isLong || !isFirst),
    );
    // The first one has the warmest cache.
    const [best] = free.sort((a, b) => Number(b.isFirst) - Number(a.isFirst));
    if (best !== undefined || byFirst) return best;
    const long = all.filter(({ task }) => task?.isLong).length;
    if (all.length >= MAX_DEPUTIES || (isLong && long >= MAX_LONG)) return undefined;
    return isLong || all.every((deputy) => this.isStuck(deputy)) ? this.hire(false) : undefined;
  }

  /** Whether it has been busy for longer than short work takes. */
  isStuck({ task, since, isReady }: Deputy): boolean {
    const { patienceMs } = this.options;
    return task?.isLong === true || since < performance.now() - (isReady ? patienceMs : START_MS);
  }

  hire(isFirst: boolean): Deputy {
    const { command, args, cwd, env } = this.options.start;
    const child = startChild(command, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    }) as Deputy['child'];
    const deputy: Deputy = {
      child,
      isFirst,
      keys: new Set(),
      isReady: false,
      task: undefined,
      asides: new Set(),
      since: performance.now(),
    };
    this.deputies.add(deputy);
    child.stdin.on('error', () => {});
    child.once('error', () => this.leave(deputy));
    child.once('exit', () => this.leave(deputy));
    createInterface({ input: child.stdout }).on('line', (line) => this.hear(deputy, line));
    return deputy;
  }

  send({ child }: Deputy, order: Order): void {
    child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  hear(deputy: Deputy, line: string): void {
    const report = JSON.parse(line) as Report;
    if ('event' in report) {
      if (report.event === READY) {
        deputy.isReady = true;
        // Its work starts now.
        deputy.since = performance.now();
      } else if (deputy.isFirst) this.options.onEvent?.(report.event);
      return;
    }
    const task = tasksOf(deputy).find(({ id }) => id === report.id);
    if (task === undefined) return;
    if ('said' in report) {
      task.hears?.(report.said);
      return;
    }
    if (!deputy.asides.delete(task)) deputy.task = undefined;
    deputy.since = performance.now();
    if ('result' in report) task.done.resolve(report.result);
    else task.done.reject(this.errorOf(report.failure));
    this.assign();
  }

  /** Called when a process has exited or was killed. */
  leave(deputy: Deputy): void {
    if (!this.deputies.delete(deputy)) return;
    for (const { done, what } of tasksOf(deputy)) done.reject(ended(what));
    this.replace(deputy);
  }

  replace({ isFirst, since }: Deputy): void {
    if (!isFirst || this.isClosed) return;
    // Do not restart a process at once that exits right after its start.
    const wait = Math.max(0, since + RESTART_MS - performance.now());
    setTimeout(() => {
      if (this.isClosed) return;
      this.hire(true);
      this.options.onReplaced?.();
      this.assign();
    }, wait).unref();
  }

  /** Stops waiting for the work, and kills its process. */
  giveUp(task: Task, error: Error): void {
    this.queue = this.queue.filter((waiting) => waiting !== task);
    task.done.reject(error);
    for (const deputy of this.deputies) {
      if (deputy.task === task) void this.dismiss(deputy, error);
      else if (deputy.asides.has(task)) this.endAside(deputy, task);
    }
    this.assign();
  }

  /** Tells a process to cancel one task, and kills it if it does not. */
  endAside(deputy: Deputy, task: Task): void {
    this.send(deputy, { cancel: task.id });
    setTimeout(() => {
      if (deputy.asides.has(task)) void this.dismiss(deputy, ended(task.what));
    }, GRACE_MS).unref();
  }

  cancel(task: Task): void {
    for (const deputy of this.deputies) {
      if (!tasksOf(deputy).includes(task)) continue;
      this.send(deputy, { cancel: task.id });
      const late = setTimeout(() => {
        if (tasksOf(deputy).includes(task)) this.giveUp(task, ended(task.what));
      }, GRACE_MS);
      void task.done.promise.catch(() => {}).then(() => clearTimeout(late));
      return;
    }
    this.giveUp(task, ended(task.what));
  }

  /** Stops a process, cleanly if possible. */
  async dismiss(deputy: Deputy, error?: Error): Promise<void> {
    if (!this.deputies.delete(deputy)) return;
    const { child } = deputy;
    if (error !== undefined) for (const { done } of tasksOf(deputy)) done.reject(error);
    const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    child.stdin.end();
    child.kill('SIGTERM');
    this.replace(deputy);
    const force = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await gone;
    clearTimeout(force);
  }

  errorOf(failure: Failure): Error {
    if (failure.kind === 'coded') return SkillwrightError.received(failure);
    if (failure.kind === 'numbered' && this.options.numbered !== undefined)
      return this.options.numbered(failure.number, failure.message);
    return new Error(failure.message);
  }
}

const RESTART_MS = 1000;

const tasksOf = ({ task, asides }: Deputy): Task[] => [...(task === undefined ? [] : [task]), ...asides];

const TOO_LONG = 'request less, or raise server.timeout in your user configuration';

const ended = (what: string) => SkillwrightError.of('E091', { what });
