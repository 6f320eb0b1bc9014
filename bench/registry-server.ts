// The server of a registry under load.

import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { node, repository } from './workplace.ts';

/** A server in a process of its own. */
export interface RunningServer {
  readonly process: ChildProcess;
  readonly address: string;
}

/** Starts what `npx @skillwright/registry` starts. Its log goes to a file: reading it would cost time of the measurement. */
export async function startServer(data: string, databaseUrl: string): Promise<RunningServer> {
  const log = join(data, 'server.log');
  const main = join(repository, 'packages/registry/dist/main.js');
  const child = spawn(node, [main, '--port', '0', '--data', data], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      REGISTRY_READ_LIMIT: '0',
      REGISTRY_SEARCH_LIMIT: '0',
    },
    stdio: ['ignore', 'pipe', openSync(log, 'w')],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk;
      const found = /http:\/\/[^\s]+/.exec(said);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', () =>
      reject(new Error(`the server stopped: ${said}${readFileSync(log, 'utf8').slice(-2000)}`)),
    );
  });
  return { process: child, address };
}

/** Stops a server and waits for its end. */
export async function stopServer({ process: child }: RunningServer): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Requests of one kind. */
export interface Load {
  readonly paths: readonly string[];
  readonly connections: number;
  readonly requests: number;
}

/** Latencies of a load in milliseconds, in order, and its speed. */
export interface Measured {
  readonly times: readonly number[];
  readonly perSecond: number;
}

/** Sends requests, each connection one after another. Fails when one fails. */
export async function load(
  { address }: RunningServer,
  { paths, connections, requests }: Load,
): Promise<Measured> {
  // The histogram of autocannon counts whole milliseconds.
  const times: number[] = [];
  const start = performance.now();
  let clients = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: address,
        connections,
        amount: requests,
        // A busy machine makes a request slow, and not wrong.
        timeout: 60,
        // Each connection has paths of its own: preparing all paths for all of them would delay the first answers.
        setupClient(client) {
          const first = clients++ % Math.min(connections, paths.length);
          client.setRequests(
            paths.filter((_, at) => at % connections === first).map((path) => ({ path, method: 'GET' })),
          );
        },
      },
      (error: unknown, done: autocannon.Result) => (error ? reject(error as Error) : resolve(done)),
    );
    run.on('response', (_client, _status, _bytes, time) => times.push(time));
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} requests failed: ${paths[0]}`);
  return {
    times: times.sort((a, b) => a - b),
    perSecond: (times.length * 1000) / (performance.now() - start),
  };
}

/** Runs several loads in turn, so that all of them see the same moods of the machine. */
export async function loadInTurn<Name extends string>(
  server: RunningServer,
  loads: Readonly<Record<Name, Load>>,
  rounds: number,
): Promise<Record<Name, Measured>> {
  const parts = Object.entries<Load>(loads).map(([name, own]) => ({ name, own, done: [] as Measured[] }));
  for (let round = 0; round < rounds; round++)
    for (const { own, done } of parts) {
      const requests = Math.ceil(own.requests / rounds);
      const from = (round * requests) % own.paths.length;
      const paths = [...own.paths.slice(from), ...own.paths.slice(0, from)].slice(0, requests);
      done.push(await load(server, { paths, connections: own.connections, requests }));
    }
  const all: Partial<Record<string, Measured>> = {};
  for (const { name, done } of parts)
    all[name] = {
      times: done.flatMap(({ times }) => times).sort((a, b) => a - b),
      perSecond: done.reduce((sum, { perSecond }) => sum + perSecond, 0) / done.length,
    };
  return all as Record<Name, Measured>;
}

/** The latency that this share of the requests stays below. */
export function latencyAt({ times }: Measured, share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
}

export function residentMegabytes({ process: { pid } }: RunningServer): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}
