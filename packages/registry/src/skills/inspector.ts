// Hands archives to a thread of their own, one at a time, so that publications never stall reads.

import { Worker } from 'node:worker_threads';
import { Failure } from '../base/index.ts';
import type { Inspection, InspectionRequest } from './inspection.ts';

/** Uploads that may wait for the thread; each holds its archive in memory. */
const MAX_WAITING = 32;
const MAX_SECONDS = 60;
const MAX_MEGABYTES = 256;

interface Job {
  readonly request: InspectionRequest;
  resolve(inspection: Inspection): void;
  reject(error: Error): void;
}

const waiting: Job[] = [];
let worker: Worker | undefined;
let current: (Job & { readonly id: number; readonly timer: NodeJS.Timeout }) | undefined;
let lastId = 0;

/** Inspects an archive in the process's inspecting thread. 503 when too many wait already. */
export function inspectInThread(request: InspectionRequest): Promise<Inspection> {
  if (waiting.length >= MAX_WAITING)
    return Promise.reject(
      new Failure('unavailable', 'too many publications at once; try again soon', {
        headers: { 'retry-after': '2' },
      }),
    );
  return new Promise((resolve, reject) => {
    waiting.push({ request, resolve, reject });
    startNext();
  });
}

function startNext(): void {
  if (current !== undefined) return;
  const job = waiting.shift();
  if (job === undefined) {
    worker?.unref();
    return;
  }
  worker ??= startWorker();
  worker.ref();
  lastId += 1;
  const timer = setTimeout(() => {
    abandon({ problems: [`checking it took longer than ${MAX_SECONDS} seconds`] });
  }, MAX_SECONDS * 1000);
  current = { ...job, id: lastId, timer };
  worker.postMessage({ id: lastId, request: job.request });
}

function startWorker(): Worker {
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
}

/** Ends the thread with the current job; the next job gets a new one. */
function abandon(inspection: Inspection): void {
  void worker?.terminate();
  worker = undefined;
  finish(({ resolve }) => resolve(inspection));
}

function finish(settle: (job: Job) => void): void {
  const job = current;
  if (job === undefined) return;
  current = undefined;
  clearTimeout(job.timer);
  settle(job);
  startNext();
}
