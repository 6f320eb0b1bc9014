import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands, runMain } from '../src/commands/run-main.ts';
import { readSettings } from '../src/settings/read-settings.ts';
import { settingList } from '../src/settings/setting-list.ts';
import { openEmbedded } from '../src/store/open-embedded.ts';
import { copyEmptyData } from './copy-empty-data.ts';
import { createPostgresDatabase } from './create-postgres-database.ts';
import { requirePostgres } from './open-test-registry.ts';
import { startPostgres } from './postgres-server.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'skw-commands-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

type Env = Record<string, string>;

/** Runs a command line to its end. */
async function run(args: readonly string[], env: Env = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runMain(args, {
    env,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    stop: new AbortController().signal,
  });
  return { code, out, err };
}

/** Starts a server in this process; resolves when it has printed everything. */
async function start(args: readonly string[], env: Env = {}) {
  const stop = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const address = Promise.withResolvers<string>();
  const code = runMain(['serve', '--port', '0', ...args], {
    env,
    out: (line) => {
      out.push(line);
      address.resolve(line.replace('Skillwright registry: ', ''));
    },
    err: (line) => err.push(line),
    stop: stop.signal,
  });
  code.then(() => address.reject(new Error(err.join('\n'))), address.reject);
  const url = await address.promise;
  const end = () => {
    stop.abort();
    return code;
  };
  return { url, out, err, end };
}

describe('settings', () => {
  test('every setting has help, a flag and a variable', () => {
    expect(settingList.filter(({ help }) => help === '').map(({ name }) => name)).toEqual([]);
    expect(settingList.find(({ name }) => name === 'publicUrl')).toMatchObject({
      flag: 'public-url',
      variable: 'REGISTRY_PUBLIC_URL',
      type: 'text',
    });
  });

  test('flags win over variables, and variables over the file', () => {
    const config = join(place, 'registry.toml');
    writeFileSync(config, 'port = 1\nhost = "file"\ncopies = 7\ntrusted-proxies = ["10.0.0.1"]\n');
    const settings = readSettings({
      flags: { config, port: '3' },
      env: { REGISTRY_PORT: '2', REGISTRY_HOST: 'env', DATABASE_URL: 'postgres://x/y' },
    });
    expect(settings).toMatchObject({
      port: 3,
      host: 'env',
      copies: 7,
      trustedProxies: ['10.0.0.1'],
      databaseUrl: 'postgres://x/y',
      data: 'skillwright-registry',
    });
    expect(readSettings({ flags: { 'trusted-proxies': '10.0.0.1, 10.0.0.0/8' } }).trustedProxies).toEqual([
      '10.0.0.1',
      '10.0.0.0/8',
    ]);
    // Kubernetes sets this for a service called `registry`.
    expect(readSettings({ env: { REGISTRY_PORT: 'tcp://10.0.0.1:80' } }).port).toBe(4873);
  });

  test('a mistake is one line and exit code 1', async () => {
    const config = join(place, 'registry.toml');
    writeFileSync(config, 'colour = "red"\n');
    const outcomes = [];
    for (const [args, env] of [
      [['--port', 'many']],
      [['--port', '70000']],
      [['--colour']],
      [['--config', config]],
      [[], { REGISTRY_PUBLIC_URL: 'ftp://x' }],
      [[], { DATABASE_URL: 'mysql://x' }],
      [['serv']],
      [['restore']],
      [['backup']],
      [['admin', 'password']],
    ] as [string[], Env?][]) {
      const { code, out, err } = await run(args, env);
      expect([code, out, err.length]).toEqual([1, [], 1]);
      outcomes.push(err[0]!.replace(config, 'registry.toml'));
    }
    expect(outcomes).toEqual([
      '--port: many is not a number',
      '--port: Too big: expected number to be <=65535',
      "Unknown option '--colour'. See --help",
      'registry.toml: there is no setting colour',
      'REGISTRY_PUBLIC_URL: Invalid URL',
      'DATABASE_URL: must start with postgres://',
      `there is no command serv. Commands: ${commands.map(({ name }) => name).join(', ')}`,
      'use: skillwright-registry restore <file.tar>',
      'name the file: backup --output <file.tar>',
      'use: skillwright-registry admin token',
    ]);
  });

  test('a directory, port or database that cannot be used is one line that says what to do', async () => {
    const file = join(place, 'file');
    writeFileSync(file, 'no backup');
    const locked = join(place, 'locked');
    mkdirSync(join(locked, 'lock'), { recursive: true });
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const use = 'Name a directory that this user may read and write: --data <directory>';
    const url = 'postgres://<user>:<password>@<host>:<port>/<database>';
    const cases: [args: string[], said: string, env?: Env][] = [
      [['--port', '0', '--data', file], `cannot use the data directory ${file}: it is a file. ${use}`],
      [
        ['doctor', '--data', `${file}/x`],
        `cannot use the data directory ${file}/x: a part of the path is not a directory. ${use}`,
      ],
      [
        ['doctor', '--data', locked],
        `cannot use the data directory ${locked}: its file lock: unable to open database file. ${use}`,
      ],
      [
        ['--port', String(port), '--data', join(place, 'new')],
        `another program listens on port ${port} of 127.0.0.1. Stop it, or use another port: --port <number>`,
      ],
      [
        ['--port', '0', '--host', '203.0.113.7', '--data', join(place, 'new')],
        '203.0.113.7 is not an address of this machine. Use one of its addresses: --host <address>',
      ],
      [
        ['doctor'],
        'PostgreSQL at 127.0.0.1:1 cannot be reached: ECONNREFUSED. Start it, or correct DATABASE_URL',
        { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
      ],
      [
        ['doctor'],
        `DATABASE_URL is not the address of a PostgreSQL: ${url}`,
        { DATABASE_URL: 'postgres://u:hid%den@host:many/x' },
      ],
      [
        ['backup', '--output', file, '--data', join(place, 'new')],
        `cannot write ${file}: already exists. Name a new file: backup --output <file.tar>`,
      ],
      [
        ['restore', join(place, 'none.tar'), '--data', join(place, 'new')],
        `cannot read the backup ${join(place, 'none.tar')}: no such file or directory. Nothing was restored.`,
      ],
      [
        ['restore', file, '--data', join(place, 'new')],
        `${file} is not a complete backup: the archive is cut off. Nothing was restored.`,
      ],
    ];
    for (const [args, said, env] of cases)
      expect(await run(args, env)).toEqual({ code: 1, out: [], err: [said] });
    other.close();
    expect(readdirSync(place).toSorted(), 'nothing is left').toEqual(['file', 'locked']);
  });

  test('help lists every command and setting', async () => {
    const { code, out } = await run(['--help']);
    const text = out.join('\n');
    expect(code).toBe(0);
    for (const { name, summary } of commands) {
      expect(text).toContain(summary);
      expect((await run([name, '--help'])).out[0]).toContain(summary);
    }
    for (const { flag, help } of settingList)
      expect(text).toMatch(new RegExp(`--${flag} +${help.slice(0, 20)}`));
  });
});

const whoami = (url: string, token: string) =>
  fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

test('an embedded registry: first start, commands while it runs, stop, restore, recover', async () => {
  const data = join(place, 'data');
  await copyEmptyData(data);
  const server = await start(['--data', data]);
  const [address, shown = ''] = server.out;
  expect(server.out).toHaveLength(3);
  expect(address).toMatch(/^Skillwright registry: http:\/\/127\.0\.0\.1:\d+$/);
  const first = /^Admin token, shown once: (skwr_\S+)$/.exec(shown)![1]!;
  expect(await whoami(server.url, first)).toBe(200);

  const inUse = await run(['serve', '--port', '0', '--data', data]);
  expect([inUse.code, inUse.out]).toEqual([1, []]);
  expect(inUse.err[0]).toMatch(/^another process uses the data directory/);
  const token = await run(['admin', 'token', '--data', data]);
  expect([token.code, await whoami(server.url, token.out[0]!)]).toEqual([0, 200]);
  const doctor = await run(['doctor', '--all', '--json', '--data', data]);
  const findings = JSON.parse(doctor.out.join('')) as { check: string; state: string }[];
  expect([doctor.code, findings.filter(({ state }) => state === 'error')]).toEqual([0, []]);
  const file = join(place, 'backup.tar');
  expect(await run(['backup', '--output', file, '--data', data])).toMatchObject({ code: 0, err: [] });
  const again = await run(['backup', '--output', file, '--data', data]);
  expect([again.code, again.err[0]]).toEqual([1, expect.stringMatching(/^cannot write .*: already exists/)]);

  expect(await server.end()).toBe(0);
  expect(existsSync(join(data, 'control.json'))).toBe(false);
  const events = server.err.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events.slice(-2)).toEqual(['stopping', 'stopped']);

  const other = join(place, 'other');
  await copyEmptyData(other);
  const restored = await run(['restore', file, '--data', other]);
  expect(restored).toMatchObject({ code: 0, err: [] });
  const refused = await run(['restore', file, '--data', other]);
  expect(refused).toEqual({
    code: 1,
    out: [],
    err: ['the database is not empty: accounts has rows. Restore into an empty database or directory.'],
  });
  const missing = await run(['recover', '--data', other]);
  expect([missing.code, missing.err[0]]).toEqual([1, expect.stringMatching(/^there is no copy in /)]);

  const second = await start(['--data', other]);
  expect(second.out).toHaveLength(1);
  expect(await whoami(second.url, first)).toBe(200);
  expect(await second.end()).toBe(0);
}, 300_000);

test('a data directory of a newer program is refused, and a restore that fails leaves an empty directory empty', async () => {
  const data = join(place, 'data');
  await copyEmptyData(data, { isMigrated: true });
  const database = await openEmbedded(data);
  await database.query(`insert into migrations (name) values ('9999-later')`);
  await database.close();
  const newer =
    'the database is newer than this program: it has 9999-later. Start the version that made it, or a later one.';
  expect(await run(['--port', '0', '--data', data])).toEqual({ code: 1, out: [], err: [newer] });
  writeFileSync(join(data, 'database', 'PG_VERSION'), '99\n');
  expect(await run(['--port', '0', '--data', data])).toEqual({
    code: 1,
    out: [],
    err: [
      `the database in ${join(data, 'database')} was made by PostgreSQL 99, and this program has 18. Start the version of this program that made it, or a later one.`,
    ],
  });
  const empty = join(place, 'empty');
  mkdirSync(empty);
  const broken = join(place, 'broken.tar');
  writeFileSync(broken, 'no backup');
  expect((await run(['restore', broken, '--data', empty])).code).toBe(1);
  expect(readdirSync(empty)).toEqual([]);
});

test('a PostgreSQL that refuses the connection is told without the password', async (context) => {
  requirePostgres(context);
  const url = (await createPostgresDatabase()).replace('registry@', 'nobody:hidden@');
  const { code, err } = await run(['doctor'], { DATABASE_URL: url });
  const { searchParams } = new URL(url);
  expect([code, err]).toEqual([
    1,
    [
      `PostgreSQL at ${searchParams.get('host')} refuses the connection: role "nobody" does not exist. Correct DATABASE_URL: postgres://<user>:<password>@<host>:<port>/<database>`,
    ],
  ]);
});

test('three processes on one PostgreSQL start at once, with one administrator', async (context) => {
  requirePostgres(context);
  const env = { DATABASE_URL: await createPostgresDatabase() };
  const servers = await Promise.all([1, 2, 3].map(() => start(['--data', join(place, 'none')], env)));
  const tokens = servers.flatMap(({ out }) => out.filter((line) => line.startsWith('Admin token')));
  expect(tokens).toHaveLength(1);
  const token = tokens[0]!.replace('Admin token, shown once: ', '');
  expect(await Promise.all(servers.map(({ url }) => whoami(url, token)))).toEqual([200, 200, 200]);
  expect(await run(['migrate'], env)).toEqual({ code: 0, out: ['the schema is up to date'], err: [] });
  expect(await Promise.all(servers.map(({ end }) => end()))).toEqual([0, 0, 0]);
});

test('a server waits for a PostgreSQL that starts after it', async (context) => {
  requirePostgres(context);
  const postgres = startPostgres();
  const env = { DATABASE_URL: await createPostgresDatabase({ server: postgres }) };
  postgres.stop();
  const starting = start(['--data', place], env);
  postgres.start();
  const server = await starting;
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.end()).toBe(0);
  postgres.stop();
});

test('SIGTERM ends the program with exit code 0, and stdout has the address and token alone', async (context) => {
  requirePostgres(context);
  const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, '--port', '0'], {
    cwd: place,
    env: { ...process.env, DATABASE_URL: await createPostgresDatabase() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
    if (text.split('\n').length === 4) child.kill('SIGTERM');
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, text]).toEqual([
    0,
    expect.stringMatching(
      /^Skillwright registry: http:\/\/127\.0\.0\.1:\d+\nAdmin token, shown once: skwr_[\w-]+\nNext: run 'skc login http.+\n$/,
    ),
  ]);
});
