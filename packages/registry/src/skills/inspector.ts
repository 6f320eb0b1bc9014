// Hands archives to threads of their own, so that publications never stall reads: small archives to one, large ones to another.
// In each the accounts take turns, so that nobody waits for everything that somebody else has sent.

import { Worker } from 'node:worker_threads';
import { Failure } from '../base/index.ts';
import type { Inspection, InspectionRequest } from './inspect-archive.ts';

/** Archives that may wait for a thread; each is in memory. */
const MAX_WAITING = 32;
/** Seconds an archive may wait. */
const WAITING_SECONDS = 30;
/** Seconds of processor time for one archive, and at most these in all on a busy machine. */
const CPU_SECONDS = 10;
const MAX_SECONDS = 60;
const LOADING_SECONDS = 10;
const MAX_MEGABYTES = 256;
/** Archives up to this size do not wait for larger ones. */
const SMALL_BYTES = 256 * 1024;

/** The sender of an archive, and its size. */
interface Sender {
  /** Takes turns with others. */
  readonly account: number | string;
  readonly bytes: number;
}

interface Job {
  readonly request: InspectionRequest;
  readonly account: Sender['account'];
  readonly deadline: NodeJS.Timeout;
  resolve(inspection: Inspection): void;
  reject(error: Error): void;
}

/** Inspects an archive. 503 when too many wait already, or when it waited too long. */
export function inspectInThread(request: InspectionRequest, { account, bytes }: Sender): Promise<Inspection> {
  return (bytes <= SMALL_BYTES ? small : large).add(request, account);
}

function busy(): Failure {
  return new Failure('unavailable', 'too many publications at once; try again soon', {
    headers: { 'retry-after': '2' },
  });
}

/** Processor time of a thread; on older versions of Node the time in which it was busy. */
async function processorSeconds(thread: Worker): Promise<number> {
  const { cpuUsage } = thread as { cpuUsage?: () => Promise<NodeJS.CpuUsage> };
  if (cpuUsage === undefined) return thread.performance.eventLoopUtilization().active / 1000;
  // A thread that has not started, or has ended, has no times to tell.
  const used = await cpuUsage.call(thread).catch(() => undefined);
  return used === undefined ? 0 : (used.user + used.system) / 1e6;
}

/** A thread and the archives that wait for it. */
function openLane() {
  /** By account, in the order of their turns. */
  const waiting = new Map<Sender['account'], Job[]>();
  let count = 0;
  let worker: Worker | undefined;
  let current: (Job & { readonly id: number; readonly timer: NodeJS.Timeout }) | undefined;
  let lastId = 0;

  const leave = (job: Job): boolean => {
    const jobs = waiting.get(job.account);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at === -1) return false;
    jobs.splice(at, 1);
    count -= 1;
    if (jobs.length === 0) waiting.delete(job.account);
    return true;
  };
  const takeNext = (): Job | undefined => {
    const [account, jobs] = waiting.entries().next().value ?? [];
    const job = jobs?.[0];
    if (account === undefined || jobs === undefined || job === undefined) return undefined;
    leave(job);
    // The account goes to the end of the line.
    if (waiting.delete(account)) waiting.set(account, jobs);
    return job;
  };
  const finish = (settle: (job: Job) => void): void => {
    const job = current;
    if (job === undefined) return;
    current = undefined;
    clearInterval(job.timer);
    settle(job);
    startNext();
  };
  /** Ends the thread with the current job; the next job gets a new one. */
  const abandon = (inspection: Inspection): void => {
    void worker?.terminate();
    worker = undefined;
    finish(({ resolve }) => resolve(inspection));
  };
  const startWorker = (): Worker => {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const started = new Worker(new URL(`./inspect-worker.${extension}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
      execArgv: [],
    });
    started.on(
      'message',
      ({ id, inspection, error }: { id: number; inspection?: Inspection; error?: string }) => {
        if (current?.id !== id) return;
        if (inspection === undefined) finish(({ reject }) => reject(new Error(error)));
        else finish(({ resolve }) => resolve(inspection));
      },
    );
    started.on('error', (error: NodeJS.ErrnoException) => {
      if (worker !== started) return;
      worker = undefined;
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        finish(({ resolve }) => resolve({ problems: ['checking it took too much memory'] }));
      else finish(({ reject }) => reject(error));
    });
    return started;
  };
  const startNext = (): void => {
    if (current !== undefined) return;
    const job = takeNext();
    if (job === undefined) {
      worker?.unref();
      return;
    }
    clearTimeout(job.deadline);
    // Loading the checks takes a while, and is not the archive's fault.
    const allowed = CPU_SECONDS + (worker === undefined ? LOADING_SECONDS : 0);
    worker ??= startWorker();
    worker.ref();
    lastId += 1;
    const id = lastId;
    const running = worker;
    const began = performance.now();
    const before = processorSeconds(running);
    const check = async (): Promise<void> => {
      const isLate = performance.now() - began > MAX_SECONDS * 1000;
      const used = isLate ? 0 : (await processorSeconds(running)) - (await before);
      if (current?.id === id && (isLate || used > allowed))
        abandon({ problems: [`checking it took longer than ${CPU_SECONDS} seconds`] });
    };
    const timer = setInterval(() => void check(), 200);
    current = { ...job, id, timer };
    worker.postMessage({ id: lastId, request: job.request });
  };

  return {
    add: (request: InspectionRequest, account: Sender['account']): Promise<Inspection> =>
      new Promise((resolve, reject) => {
        if (count >= MAX_WAITING) {
          reject(busy());
          return;
        }
        const deadline = setTimeout(() => {
          if (leave(job)) reject(busy());
        }, WAITING_SECONDS * 1000).unref();
        const job: Job = { request, account, deadline, resolve, reject };
        waiting.set(account, [...(waiting.get(account) ?? []), job]);
        count += 1;
        startNext();
      }),
  };
}

const small = openLane();
const large = openLane();
