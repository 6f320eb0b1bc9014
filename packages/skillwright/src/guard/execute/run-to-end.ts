// Runs a command to its end, collects its output and measures its time.

import type { Readable } from 'node:stream';
import type { RunResult, SandboxedCommand, SandboxedProcess } from './sandbox.ts';

/** A command and its input. */
type CommandToRun = SandboxedCommand & { readonly stdin?: string | Uint8Array | undefined };

/** Waits for a started command. Rejects with E074 when it could not start, and with the reason when it was aborted. */
export async function runToEnd(running: SandboxedProcess, command: CommandToRun): Promise<RunResult> {
  const { limits, signal, stdin } = command;
  const started = performance.now();
  running.input.end(stdin ?? '');
  let left = limits.outputBytes;
  const take = (chunk: Buffer): Buffer => {
    const kept = chunk.subarray(0, Math.max(left, 0));
    left -= chunk.length;
    if (left < 0) running.kill('output');
    return kept;
  };
  const timer = setTimeout(() => running.kill('time'), limits.seconds * 1000);
  try {
    const [stdout, stderr, end] = await Promise.all([
      readToEnd(running.stdout, take),
      readToEnd(running.errors, take),
      running.exited,
    ]);
    signal?.throwIfAborted();
    if (end.failure !== undefined) throw end.failure;
    const { exitCode, stopped } = end;
    return { exitCode, stopped, stdout, stderr, durationMs: Math.round(performance.now() - started) };
  } finally {
    clearTimeout(timer);
  }
}

/** The text of a stream until it closes; invalid UTF-8 becomes replacement characters. */
function readToEnd(stream: Readable, take: (chunk: Buffer) => Buffer): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => chunks.push(take(chunk)));
    stream.on('error', () => {}); // The end event follows.
    stream.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
