#!/usr/bin/env node
// The program of the registry.

import { boundHeap } from './commands/bound-heap.ts';

const [command = 'serve'] = process.argv.slice(2);
if (command === 'serve' || command.startsWith('-')) boundHeap(process);
// Everything else is loaded by the process that stays.
const { runMain } = await import('./commands/run-main.ts');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // The second signal does not wait.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
process.exitCode = await runMain(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  stop: stop.signal,
});
// Nothing that is still open keeps a stopped server running.
process.stdout.write('', () => process.exit());
