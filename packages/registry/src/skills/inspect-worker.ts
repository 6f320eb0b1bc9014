// The thread that inspects archives: reading, checking and scanning a large one takes seconds of processor time.

import { parentPort } from 'node:worker_threads';
import type { InspectionRequest } from './inspect-archive.ts';
import { inspectArchive } from './inspect-archive.ts';

parentPort?.on('message', async ({ id, request }: { id: number; request: InspectionRequest }) => {
  try {
    parentPort?.postMessage({ id, inspection: await inspectArchive(request) });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
