// Reserves the standard streams of a serving process for its protocol.

import { Console } from 'node:console';
import { type Readable, Writable } from 'node:stream';

/** Streams of a server. */
export interface ServerStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Reserves standard input and output for the protocol. From then on, anything other code writes or logs to standard
 * output goes to standard error.
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
  // A closed pipe is also reported through the callback.
  stdout.on('error', () => {});
  return { input: stdin, output };
}
