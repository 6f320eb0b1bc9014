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

/** Most owners remembered; the oldest are forgotten. */
const MAX_OWNERS = 1024;

/** How often to check for stuck processes while work waits, and how long one may take to start. */
const LOOK_MS = 50;
const START_MS = 5000;

/** An idle process ends after this time; the first one stays, and is started again after a pause when it has ended. */
const IDLE_MS = 30_000;
const RESTART_MS = 1000;

/** Time a process gets to exit cleanly, or to obey a cancellation. */
const GRACE_MS = 700;

/** If a watch takes longer to start than this, the server answers without it. */
const WATCH_MS = 5000;

/** Long work gets this many times the limit of a request, and at least the limit of a script and a margin. */
const LONG = 10;
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

interface Task extends Assignment {
  readonly id: number;
  readonly done: PromiseWithResolvers<unknown>;
}

interface Deputy {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly isFirst: boolean;
  /** Its work: at most one task, and any number that wait for other programs. */
  readonly tasks: Set<Task>;
  /** Whether it has started and can work. */
  isReady: boolean;
  /** When its work last changed. */
  since: number;
  /** Ends it when it has been idle for long. */
  idle?: NodeJS.Timeout;
}

/** A watch of the first deputy, from the parameters of its start. */
interface Watch {
  readonly params: () => unknown;
  tell(event: string): void;
}

/** How a deputy is started. */
interface Start extends Pick<Workspace, 'cwd' | 'env'> {
  readonly command: string;
  readonly args: readonly string[];
}

/** Time limits in milliseconds: for a request, for long work, and how long short work waits for a busy process. */
type Limits = Readonly<Record<'short' | 'long' | 'patience', number>>;

/** All deputies of one server. */
class Deputies {
  readonly start: Start;
  readonly limits: Limits;
  readonly deputies = new Set<Deputy>();
  /** The deputy that did an owner's last work. */
  readonly owners = new Map<string, Deputy>();
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
    const limitMs = long === undefined ? this.limits.short : this.limits.long;
    const limit = setTimeout(() => {
      const help = 'request less, or raise server.timeout in your user configuration';
      const seconds = String(Math.ceil(limitMs / 1000));
      done.reject(SkillwrightError.of('E090', { what, seconds }, { help }));
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
      const { id, method, params, key } = task;
      const isNew = key !== undefined && this.owners.get(key) !== deputy;
      if (isNew) this.owners.set(key, deputy);
      if (this.owners.size > MAX_OWNERS) this.owners.delete([...this.owners.keys()][0]!);
      clearTimeout(deputy.idle);
      deputy.tasks.add(task);
      deputy.since = performance.now();
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
    const known = key === undefined ? undefined : this.owners.get(key);
    if (known !== undefined && !this.isStuck(known)) return taskOf(known) === undefined ? known : undefined;
    const free = all.filter((one) => taskOf(one) === undefined && !(long === 'busy' && one.isFirst));
    // The first one has the warmest cache.
    const best = free.find((deputy) => deputy === first) ?? free[0];
    const busy = all.filter((one) => taskOf(one)?.long === 'busy').length;
    if (best !== undefined || all.length >= MAX_DEPUTIES || (long === 'busy' && busy >= MAX_LONG))
      return best;
    return long === 'busy' || all.every((deputy) => this.isStuck(deputy)) ? this.hire(false) : undefined;
  }

  /** Whether it has been busy for longer than short work takes. */
  isStuck(deputy: Deputy): boolean {
    const task = taskOf(deputy);
    const patience = deputy.isReady ? this.limits.patience : START_MS;
    return task !== undefined && (task.long === 'busy' || deputy.since < performance.now() - patience);
  }

  hire(isFirst: boolean): Deputy {
    const { command, args, cwd, env } = this.start;
    const stdio = ['pipe', 'pipe', 'inherit'] as ('pipe' | 'inherit')[];
    const child = startChild(command, args, { cwd, env, stdio }) as Deputy['child'];
    const deputy: Deputy = { child, isFirst, isReady: false, tasks: new Set(), since: performance.now() };
    this.deputies.add(deputy);
    child.stdin.on('error', () => {});
    for (const event of ['error', 'exit']) child.once(event, () => this.leave(deputy));
    createInterface({ input: child.stdout }).on('line', (line) => this.hear(deputy, JSON.parse(line)));
    return deputy;
  }

  hear(deputy: Deputy, report: Report): void {
    if ('event' in report) {
      if (report.event !== READY) this.watched?.tell(report.event);
      // Its work starts now.
      else Object.assign(deputy, { isReady: true, since: performance.now() });
      return;
    }
    const task = [...deputy.tasks].find(({ id }) => id === report.id);
    if (task === undefined) return;
    if ('said' in report) {
      task.hears?.(report.said);
      return;
    }
    deputy.tasks.delete(task);
    deputy.since = performance.now();
    if ('result' in report) task.done.resolve(report.result);
    else task.done.reject(receivedFailure(report.failure));
    if (!deputy.isFirst && deputy.tasks.size === 0)
      deputy.idle = setTimeout(() => void this.dismiss(deputy), IDLE_MS).unref();
    this.assign();
  }

  /** Called when a process has exited or is killed: fails its work, and starts the first one again. */
  leave(deputy: Deputy): boolean {
    if (!this.deputies.delete(deputy)) return false;
    clearTimeout(deputy.idle);
    for (const [key, owner] of this.owners) if (owner === deputy) this.owners.delete(key);
    for (const task of deputy.tasks) task.done.reject(ended(task));
    // Do not restart a process at once that exits right after its start.
    const wait = Math.max(0, deputy.since + RESTART_MS - performance.now());
    if (deputy.isFirst) setTimeout(() => this.replace(), wait).unref();
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
    const deputy = [...this.deputies].find(({ tasks }) => tasks.has(task));
    if (deputy === undefined) {
      this.queue = this.queue.filter((waiting) => waiting !== task);
      task.done.reject(ended(task));
      return;
    }
    send(deputy, { cancel: task.id });
    setTimeout(() => {
      if (!deputy.tasks.has(task)) return;
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
  const limits = { short: server.timeout * 1000, long: longSeconds * 1000, patience: patienceMs };
  return new Deputies({ ...launch, cwd, env }, limits);
}

function send({ child }: Deputy, order: Order): void {
  child.stdin.write(`${JSON.stringify(order)}\n`);
}

/** The task of a deputy that keeps others out. */
const taskOf = ({ tasks }: Deputy): Task | undefined => [...tasks].find(({ long }) => long !== 'waiting');

const ended = ({ what }: Task) => SkillwrightError.of('E091', { what });
