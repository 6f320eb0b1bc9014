// A real PostgreSQL for the tests: its own directory, a Unix socket, one server per test worker.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
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

/** A server of its own, for tests that stop it; with `replicaOf` one that follows that server. */
export function startPostgres({ replicaOf }: { readonly replicaOf?: PostgresServer } = {}): PostgresServer {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const directory = mkdtempSync(join(tmpdir(), 'skw-pg-'));
  const user = identity();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  chmodSync(directory, 0o700);
  const data = join(directory, 'data');
  const run = (program: string, args: string[]) =>
    execFileSync(join(bin, program), args, { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  if (replicaOf === undefined)
    run('initdb', ['-D', data, '-U', 'registry', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  else
    run('pg_basebackup', [
      '-D',
      data,
      '-h',
      replicaOf.directory,
      '-U',
      'registry',
      '-R',
      '-c',
      'fast',
      '--no-sync',
    ]);
  // The servers are killed, the machine is not: its cache keeps what it would flush.
  const options = `-c listen_addresses= -c unix_socket_directories=${directory} -c max_connections=200 -c fsync=off -c full_page_writes=off`;
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
  endWithThisProcess({ bin, data, directory, user });
  return server;
}

/**
 * Stops the server and removes its directory when this process ends, however it ends: a shell waits for the end of its
 * standard input.
 */
function endWithThisProcess({
  bin,
  data,
  directory,
  user,
}: {
  readonly bin: string;
  readonly data: string;
  readonly directory: string;
  readonly user: { uid: number; gid: number } | undefined;
}): void {
  const script = 'read -r _; "$1/pg_ctl" -D "$2" -m immediate -w stop; rm -rf "$3"';
  const guard = spawn('sh', ['-c', script, 'sh', bin, data, directory], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
}

/** PostgreSQL refuses to run as root; the package brings a user for it. */
function identity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
