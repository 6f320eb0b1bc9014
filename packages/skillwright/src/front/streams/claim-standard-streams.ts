// The standard streams of a process that serves: a protocol owns them, and nothing else may get in between.

import { Console } from 'node:console';
import { type Readable, Writable } from 'node:stream';

/** What a server reads from and writes to. */
export interface ServerStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Takes standard input and output for the protocol. From then on nothing else reaches standard output: what any code
 * writes or logs there goes to standard error.
 */
export function claimStandardStreams(): ServerStreams {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (
    chunk: Uint8Array,
    done: (error?: Error | null) => void,
  ) => boolean;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  globalThis.console = new Console(stderr, stderr);
  const output = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      write(chunk, done);
    },
  });
  // A reader that has gone is told through the callback too.
  stdout.on('error', () => {});
  return { input: stdin, output };
}
