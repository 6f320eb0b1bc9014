// The process a server runs in: its standard streams, and how it was started.

import { Console } from 'node:console';
import { type Readable, Writable } from 'node:stream';
import { describeRuntime } from '../version.ts';

/**
 * Takes standard input and output for the protocol. From then on nothing else reaches standard output: what any code
 * writes or logs there goes to standard error.
 */
export function claimStandardStreams(): { input: Readable; output: Writable } {
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

/** The command that starts this skc: the executable, or the runtime and the script. */
export function launchCommand(): { command: string; args: string[] } {
  const isExecutable = describeRuntime().runtime === 'native';
  return { command: process.execPath, args: isExecutable ? [] : process.argv.slice(1, 2) };
}
