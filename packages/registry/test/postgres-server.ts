// A real PostgreSQL for the tests: its own directory, a Unix socket, one server per test worker.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A running server. */
export interface PostgresServer {
  readonly directory: string;
  /** Connection string of a database of this server. */
  urlOf(database: string): string;
  /** Stops at once, as a crash would. */
  stop(): void;
  start(): void;
}

let running: PostgresServer | undefined;

/** The programs of PostgreSQL; undefined when it is not installed. */
export function findPostgres(): string | undefined {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(home, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')));
}

/** The server of this worker, started at the first call and stopped with the process. */
export function postgresServer(): PostgresServer {
  running ??= startPostgres();
  return running;
}

/** A server of its own, for tests that stop it. */
export function startPostgres(): PostgresServer {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const directory = mkdtempSync(join(tmpdir(), 'skw-pg-'));
  const user = identity();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  chmodSync(directory, 0o700);
  const data = join(directory, 'data');
  const run = (program: string, args: string[]) =>
    execFileSync(join(bin, program), args, { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  run('initdb', ['-D', data, '-U', 'registry', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const options = `-c listen_addresses= -c unix_socket_directories=${directory} -c max_connections=200`;
  const server: PostgresServer = {
    directory,
    urlOf: (database) => `postgres://registry@localhost/${database}?host=${encodeURIComponent(directory)}`,
    start: () => {
      run('pg_ctl', ['-D', data, '-l', join(directory, 'log'), '-w', '-o', options, 'start']);
    },
    stop: () => {
      spawnSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], {
        ...user,
        cwd: directory,
        stdio: 'ignore',
      });
    },
  };
  server.start();
  guard(bin, { data, directory, user });
  process.once('exit', () => {
    server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return server;
}

/** Stops the server and removes its files when this process ends in any way: its end of the pipe is then closed. */
function guard(
  bin: string,
  { data, directory, user }: { data: string; directory: string; user: ReturnType<typeof identity> },
): void {
  const script = 'cat > /dev/null; "$0" -D "$1" -m immediate -w stop; rm -rf "$2"';
  const child = spawn('sh', ['-c', script, join(bin, 'pg_ctl'), data, directory], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  (child.stdin as Socket | null)?.unref();
}

/** PostgreSQL refuses to run as root; the package brings a user for it. */
function identity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
