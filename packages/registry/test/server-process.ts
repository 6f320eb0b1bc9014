// A registry server in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A running server. */
export interface ServerProcess {
  readonly url: string;
  /** Everything it prints. */
  readonly lines: readonly string[];
  readonly process: ChildProcess;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Where a server keeps its data; a new directory, which is removed with the server, by default. */
export interface ServerPlace {
  readonly databaseUrl?: string | undefined;
  readonly data?: string;
  readonly port?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runtime and script; by default those of this repository. */
  readonly program?: readonly [string, string];
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts a server, and waits until it has printed its address and what follows it. */
export async function startServer({
  databaseUrl,
  data,
  port = '0',
  env = {},
  program: [runtime, script] = [process.execPath, main],
}: ServerPlace): Promise<ServerProcess> {
  const place = data ?? mkdtempSync(join(tmpdir(), 'skw-server-'));
  const child = spawn(runtime, [script, '--port', port, '--data', place], {
    env: {
      ...process.env,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      // Tests ask more often than people.
      REGISTRY_WRITE_LIMIT: '0',
      REGISTRY_READ_LIMIT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    if (data === undefined) rmSync(place, { recursive: true, force: true });
  };
  const lines: string[] = [];
  const output = createInterface(child.stdout!);
  const url = await new Promise<string>((resolve, reject) => {
    output.on('line', (line) => {
      lines.push(line);
      const found = /^Skillwright registry: (http:\/\/\S+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    output.on('close', () => reject(new Error('the server ended before it listened')));
  });
  // A server that answers has printed everything.
  await fetch(`${url}/healthz`);
  return { url, lines, process: child, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
