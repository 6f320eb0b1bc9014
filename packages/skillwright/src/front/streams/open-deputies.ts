// Child processes that work for a server. The server only forwards messages, so it always responds: work that takes too
// long is killed with its process, while other processes handle other requests.

import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { startChild } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { type Order, READY, type Report, receivedFailure } from './serve-deputy.ts';

/** Most processes, and most of them on long work. */
const MAX_DEPUTIES = 8;
const MAX_LONG = 4;

/** How often to check for stuck processes while work waits. */
const LOOK_MS = 50;

/** How long a process may take to start. */
const START_MS = 5000;

/** An idle process ends after this time; the first one stays. */
const IDLE_MS = 30_000;

/** Time a process gets to exit cleanly, or to obey a cancellation. */
const GRACE_MS = 700;

/** The first process is started again this long after its last start, at the earliest. */
const RESTART_MS = 1000;

/** If a watch takes longer to start than this, the server answers without it. */
const WATCH_MS = 5000;

/** Long work gets this many times the limit of a request. */
const LONG = 10;

/** Extra time on top of a script's own limit. */
const MARGIN_SECONDS = 30;

/** Work to do. */
interface Assignment {
  readonly method: string;
  /** Called when the work starts. `isNew`: the process did not do the owner's last work. */
  readonly params: (isNew: boolean) => unknown;
  /** Name in messages. */
  readonly what: string;
  /**
   * Whether it may take long. `busy`: short work must not wait for it. `waiting`: it waits for other programs, and its
   * process does other work meanwhile.
   */
  readonly long?: 'busy' | 'waiting' | undefined;
  /** Owner of the work: it goes to the process that did that owner's last work, unless that one is stuck. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives messages during the work. */
  readonly hears?: ((said: unknown) => void) | undefined;
}

/** A watch of the first deputy. */
interface Watch {
  /** Called when the watch starts. */
  readonly params: () => unknown;
  tell(event: string): void;
}

/** How a deputy is started. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Time limits for a request and for long work, and how long short work waits before another process is started. */
type Limits = Readonly<Record<'shortMs' | 'longMs' | 'patienceMs', number>>;

interface Task extends Assignment {
  readonly id: number;
  readonly done: PromiseWithResolvers<unknown>;
}

interface Deputy {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly isFirst: boolean;
  /** Owners whose last work it did. */
  readonly keys: Set<string>;
  /** Whether it has started and can work. */
  isReady: boolean;
  task: Task | undefined;
  /** Work that waits for other programs, besides the task. */
  readonly waiting: Set<Task>;
  /** When the task started, or the last one finished. */
  since: number;
  /** Ends it when it has been idle for long. */
  idle?: NodeJS.Timeout;
}

/** All deputies of one server. */
class Deputies {
  readonly start: Start;
  readonly limits: Limits;
  readonly deputies = new Set<Deputy>();
  queue: Task[] = [];
  nextId = 1;
  isClosed = false;
  tick: NodeJS.Timeout | undefined;
  watched: Watch | undefined;

  constructor(start: Start, limits: Limits) {
    this.start = start;
    this.limits = limits;
    this.hire(true);
  }

  /** The result. E090 when it takes too long, E091 when its process exits; other failures are thrown unchanged. */
  ask(assignment: Assignment): Promise<unknown> {
    const task: Task = { ...assignment, id: this.nextId++, done: Promise.withResolvers() };
    const { long, what, signal, done } = task;
    const limitMs = long === undefined ? this.limits.shortMs : this.limits.longMs;
    const limit = setTimeout(() => {
      const seconds = String(Math.ceil(limitMs / 1000));
      done.reject(SkillwrightError.of('E090', { what, seconds }, { help: TOO_LONG }));
      this.cancel(task);
    }, limitMs);
    const cancel = () => this.cancel(task);
    signal?.addEventListener('abort', cancel, { once: true });
    this.queue.push(task);
    if (signal?.aborted) cancel();
    else this.assign();
    return done.promise.finally(() => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', cancel);
    });
  }

  /** Lets the first process watch, in place of what it watched before. Resolves when it does, or takes too long. */
  async watch(watch: Watch): Promise<void> {
    this.watched = watch;
    const started = this.ask({ method: 'watch', params: watch.params, what: 'watch', long: 'waiting' });
    const tooLong = new Promise<void>((resolve) => void setTimeout(resolve, WATCH_MS).unref());
    // Serve even without a watch.
    await Promise.race([started.catch(() => {}), tooLong]);
  }

  /** Stops all of them, busy or not. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.tick);
    for (const task of this.queue.splice(0)) task.done.reject(ended(task));
    await Promise.all([...this.deputies].map((deputy) => this.dismiss(deputy)));
  }

  /** Assigns waiting work to free processes, in order. */
  assign(): void {
    clearTimeout(this.tick);
    if (this.isClosed) return;
    this.queue = this.queue.filter((task) => {
      const deputy = this.find(task);
      if (deputy === undefined) return true;
      clearTimeout(deputy.idle);
      if (task.long === 'waiting') deputy.waiting.add(task);
      else deputy.task = task;
      deputy.since = performance.now();
      const { id, method, params, key } = task;
      const isNew = key !== undefined && !deputy.keys.has(key);
      if (isNew) {
        for (const { keys } of this.deputies) keys.delete(key);
        deputy.keys.add(key);
      }
      send(deputy, { id, method, params: params(isNew) });
      return false;
    });
    // By then a process may be stuck.
    if (this.queue.length > 0) this.tick = setTimeout(() => this.assign(), LOOK_MS).unref();
  }

  find({ method, long, key }: Task): Deputy | undefined {
    const all = [...this.deputies];
    const first = all.find(({ isFirst }) => isFirst);
    // The first one stays, so its watch does.
    if (method === 'watch') return first;
    const known = key === undefined ? undefined : all.find(({ keys }) => keys.has(key));
    if (known !== undefined && !this.isStuck(known)) return known.task === undefined ? known : undefined;
    const free = all.filter(({ task, isFirst }) => task === undefined && !(long === 'busy' && isFirst));
    // The first one has the warmest cache.
    const best = free.find((deputy) => deputy === first) ?? free[0];
    if (best !== undefined) return best;
    const busy = all.filter(({ task }) => task?.long === 'busy').length;
    if (all.length >= MAX_DEPUTIES || (long === 'busy' && busy >= MAX_LONG)) return undefined;
    return long === 'busy' || all.every((deputy) => this.isStuck(deputy)) ? this.hire(false) : undefined;
  }

  /** Whether it has been busy for longer than short work takes. */
  isStuck({ task, since, isReady }: Deputy): boolean {
    if (task === undefined) return false;
    const patience = isReady ? this.limits.patienceMs : START_MS;
    return task.long === 'busy' || since < performance.now() - patience;
  }

  hire(isFirst: boolean): Deputy {
    const { command, args, cwd, env } = this.start;
    const stdio = ['pipe', 'pipe', 'inherit'] as ('pipe' | 'inherit')[];
    const child = startChild(command, args, { cwd, env, stdio }) as Deputy['child'];
    const deputy: Deputy = {
      ...{ child, isFirst, isReady: false, task: undefined, since: performance.now() },
      ...{ keys: new Set<string>(), waiting: new Set<Task>() },
    };
    this.deputies.add(deputy);
    child.stdin.on('error', () => {});
    for (const event of ['error', 'exit']) child.once(event, () => this.leave(deputy));
    createInterface({ input: child.stdout }).on('line', (line) => this.hear(deputy, JSON.parse(line)));
    return deputy;
  }

  hear(deputy: Deputy, report: Report): void {
    if ('event' in report) {
      if (report.event === READY) {
        deputy.isReady = true;
        // Its work starts now.
        deputy.since = performance.now();
      } else this.watched?.tell(report.event);
      return;
    }
    const task = tasksOf(deputy).find(({ id }) => id === report.id);
    if (task === undefined) return;
    if ('said' in report) {
      task.hears?.(report.said);
      return;
    }
    if (!deputy.waiting.delete(task)) deputy.task = undefined;
    deputy.since = performance.now();
    if ('result' in report) task.done.resolve(report.result);
    else task.done.reject(receivedFailure(report.failure));
    if (!deputy.isFirst && tasksOf(deputy).length === 0)
      deputy.idle = setTimeout(() => void this.dismiss(deputy), IDLE_MS).unref();
    this.assign();
  }

  /** Called when a process has exited or is killed: fails its work, and starts the first one again. */
  leave(deputy: Deputy): boolean {
    if (!this.deputies.delete(deputy)) return false;
    clearTimeout(deputy.idle);
    for (const task of tasksOf(deputy)) task.done.reject(ended(task));
    if (deputy.isFirst && !this.isClosed) {
      // Do not restart a process at once that exits right after its start.
      const wait = Math.max(0, deputy.since + RESTART_MS - performance.now());
      setTimeout(() => this.replace(), wait).unref();
    }
    return true;
  }

  /** Starts the first process again. The watch was down for a while, so anything may have changed. */
  replace(): void {
    if (this.isClosed) return;
    this.hire(true);
    this.assign();
    const { watched } = this;
    if (watched === undefined) return;
    void this.watch(watched).then(() => {
      for (const event of ['changed', 'touched']) watched.tell(event);
    });
  }

  /** Takes work out of the queue, or tells its process to stop, which is killed if it does not. */
  cancel(task: Task): void {
    const deputy = [...this.deputies].find((one) => tasksOf(one).includes(task));
    if (deputy === undefined) {
      this.queue = this.queue.filter((waiting) => waiting !== task);
      task.done.reject(ended(task));
      return;
    }
    send(deputy, { cancel: task.id });
    setTimeout(() => {
      if (!tasksOf(deputy).includes(task)) return;
      void this.dismiss(deputy);
      this.assign();
    }, GRACE_MS).unref();
  }

  /** Stops a process, cleanly if possible. */
  async dismiss(deputy: Deputy): Promise<void> {
    if (!this.leave(deputy)) return;
    const { child } = deputy;
    const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    child.stdin.end();
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await gone;
    clearTimeout(force);
  }
}

/** Starts the first deputy, and more when needed: `patienceMs` is how long short work waits for a busy one. */
export async function openDeputies(
  launch: Pick<Start, 'command' | 'args'>,
  { cwd, env, config }: Pick<Workspace, 'cwd' | 'env' | 'config'>,
  patienceMs: number,
): Promise<Deputies> {
  const { defaultConfig } = await import('../../skill/config/default-config.ts');
  // If the configuration cannot be read, the calls that need it report that.
  const { server, scripts } = await config().catch(() => defaultConfig);
  const longSeconds = Math.max(server.timeout * LONG, scripts.timeout + MARGIN_SECONDS);
  const limits = { shortMs: server.timeout * 1000, longMs: longSeconds * 1000, patienceMs };
  return new Deputies({ ...launch, cwd, env }, limits);
}

function send({ child }: Deputy, order: Order): void {
  child.stdin.write(`${JSON.stringify(order)}\n`);
}

const tasksOf = ({ task, waiting }: Deputy): Task[] => [...(task === undefined ? [] : [task]), ...waiting];

const TOO_LONG = 'request less, or raise server.timeout in your user configuration';

const ended = ({ what }: Task) => SkillwrightError.of('E091', { what });
