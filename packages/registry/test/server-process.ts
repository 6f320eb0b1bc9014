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
  readonly process: ChildProcess;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts a server on a PostgreSQL database, and waits until it listens. */
export async function startServer(databaseUrl: string): Promise<ServerProcess> {
  const data = mkdtempSync(join(tmpdir(), 'skw-server-'));
  const child = spawn(process.execPath, [main, '--port', '0', '--data', data], {
    // Tests ask more often than people.
    env: { ...process.env, DATABASE_URL: databaseUrl, REGISTRY_WRITE_LIMIT: '0', REGISTRY_READ_LIMIT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    rmSync(data, { recursive: true, force: true });
  };
  for await (const line of createInterface(child.stdout!)) {
    const url = /http:\/\/[^\s"]+:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout!.resume();
    return { url, process: child, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
  }
  throw new Error('the server ended before it listened');
}
