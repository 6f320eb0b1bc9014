// Archives in an object store: the same registry, against a real server where there is one.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findObjectStore } from '../../skillwright/test/required-program.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { digestOf } from '../src/base/secrets.ts';
import { moveBlobs } from '../src/commands/move-blobs.ts';
import { examine } from '../src/doctor/examine.ts';
import { openBlobs } from '../src/registry.ts';
import { fileBlobs } from '../src/store/file-blobs.ts';
import { s3Blobs } from '../src/store/s3-blobs.ts';
import { openTestRegistry } from './open-test-registry.ts';
import { openSkillWorld } from './skill-world.ts';

const keys = { accessKeyId: 'admin', secretAccessKey: 'secret' };
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

/** A store in memory that can lie, for what a real one does not do on request. */
async function startLiar() {
  const objects = new Map<string, Buffer>();
  const lies = { full: false, empty: false, other: false };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x');
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.setHeader('etag', '"0123456789abcdef0123456789abcdef"');
      if (request.method === 'PUT') {
        if (lies.full) return void response.writeHead(507).end('<Error><Code>DiskFull</Code></Error>');
        objects.set(pathname, lies.empty ? Buffer.alloc(0) : Buffer.concat(parts));
        return void response.end();
      }
      const found = objects.get(pathname);
      if (found === undefined) return void response.writeHead(404).end();
      if (lies.other && request.method === 'GET') return void response.end(Buffer.alloc(found.length, 'x'));
      response.setHeader('content-length', found.length);
      response.end(request.method === 'HEAD' ? undefined : found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, lies, objects, close: () => server.close() };
}

describe('an object store that lies', () => {
  test('a publication is whole or not at all, and other bytes are never served', async (context) => {
    const liar = await startLiar();
    const store = {
      place: 's3://skills/a',
      endpoint: liar.endpoint,
      region: 'r',
      isPathStyle: true,
      ...keys,
    };
    const world = await openSkillWorld(async () => openTestRegistry('embedded'), context);
    Object.assign(world.registry, { blobs: s3Blobs(store) });
    try {
      for (const lie of ['full', 'empty'] as const) {
        liar.lies[lie] = true;
        expect([lie, (await world.publish('@acme/alpha@1.0.0')).status]).toEqual([lie, 503]);
        liar.lies[lie] = false;
        expect((await world.call('publisher', 'GET skills/@acme/alpha')).status).toBe(404);
      }
      const { status, value } = await world.publish('@acme/alpha@1.0.0');
      expect(status).toBe(201);
      liar.lies.other = true;
      const archive = await world.ask('publisher', `GET archives/${value.archive}`);
      expect(archive.status).toBe(503);
      const findings = await examine(world.registry, { isThorough: true });
      expect(findings.find(({ check }) => check === 'archives')).toMatchObject({ state: 'error' });
    } finally {
      liar.close();
      await world.registry.close();
      rmSync(world.data, { recursive: true, force: true });
    }
  });
});

const weed = findObjectStore();

/** SeaweedFS with its files in a directory, and a bucket. */
async function startWeed(directory: string) {
  const ports: number[] = [];
  for (let count = 0; count < 4; count++) ports.push(10_000 + ((await freePort()) % 30_000));
  const [s3, master, volume, filer] = ports;
  const endpoint = `http://127.0.0.1:${s3}`;
  const open = (prefix: string) =>
    s3Blobs({ place: `s3://skills/${prefix}`, endpoint, region: 'us-east-1', isPathStyle: true, ...keys });
  let server: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    server = spawn(
      weed!,
      [
        'server',
        `-dir=${directory}`,
        '-s3',
        '-ip=127.0.0.1',
        `-s3.port=${s3}`,
        `-master.port=${master}`,
        `-volume.port=${volume}`,
        `-filer.port=${filer}`,
        '-volume.max=8',
        '-master.volumeSizeLimitMB=64',
      ],
      {
        stdio: 'ignore',
        env: { ...process.env, AWS_ACCESS_KEY_ID: 'admin', AWS_SECRET_ACCESS_KEY: 'secret' },
      },
    );
    const blobs = open('ready');
    await vi.waitFor(() => blobs.put(digestOf('x'), bytesOf('x')), { timeout: 120_000, interval: 500 });
  };
  const made = async () => {
    const { AwsClient } = await import('aws4fetch');
    const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1', retries: 0 });
    const response = await client.fetch(`${endpoint}/skills`, { method: 'PUT' });
    if (!response.ok && response.status !== 409) throw new Error(String(response.status));
  };
  const starting = start().catch(() => {});
  await vi.waitFor(made, { timeout: 120_000, interval: 500 });
  await starting;
  const kill = async () => {
    const ended = once(server!, 'exit');
    server!.kill('SIGKILL');
    await ended;
  };
  return { endpoint, open, start, kill };
}

function useCredentials() {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'admin');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
}

// Under CI a missing program is a failure.
describe.skipIf(weed === undefined && !process.env.CI)('archives in SeaweedFS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'skw-weed-'));
  let store: Awaited<ReturnType<typeof startWeed>>;
  const open = (prefix: string) => store.open(prefix);
  let endpoint = '';
  beforeAll(async () => {
    store = await startWeed(directory);
    endpoint = store.endpoint;
  });
  beforeEach(useCredentials);
  afterAll(async () => {
    await store?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  test('keeps, lists and removes blobs, and goes on after its server was killed', async () => {
    const blobs = open('contract');
    const many = new Map(
      Array.from({ length: 20 }, (_, at) => [digestOf(`blob ${at}`), bytesOf(`blob ${at}`)]),
    );
    await blobs.putAll(many);
    await blobs.put(`${digestOf('blob 1')}.index`, bytesOf('index'));
    const listed = [];
    for await (const key of blobs.keys()) listed.push(key);
    expect(listed.toSorted()).toEqual([...many.keys(), `${digestOf('blob 1')}.index`].toSorted());
    expect(Buffer.from((await blobs.get(digestOf('blob 7')))!).toString()).toBe('blob 7');
    expect(await blobs.get(digestOf('nothing'))).toBeUndefined();
    await blobs.remove(digestOf('blob 7'));
    await blobs.remove(digestOf('blob 7'));
    expect(await blobs.get(digestOf('blob 7'))).toBeUndefined();
    const signed = await blobs.addressOf!(digestOf('blob 8'), 30);
    expect(await (await fetch(signed)).text()).toBe('blob 8');
    await store.kill();
    await expect(blobs.put(digestOf('late'), bytesOf('late'))).rejects.toMatchObject({ code: 'unavailable' });
    await store.start();
    await blobs.put(digestOf('late'), bytesOf('late'));
    expect(await blobs.get(digestOf('blob 8'))).toEqual(bytesOf('blob 8'));
  });

  test('blobs move there and back, also when the move was stopped', async () => {
    const made = await openTestRegistry('embedded');
    const { settings } = made.registry;
    const files = fileBlobs(join(made.data, 'blobs'));
    for (let at = 0; at < 5; at++) await files.put(digestOf(`file ${at}`), bytesOf(`file ${at}`));
    await made.registry.close();
    const there = { ...settings, blobs: 's3://skills/moved', blobsEndpoint: endpoint };
    const stop = new AbortController();
    const move = async (to: string, from: object, seconds = false) => {
      const lines: string[] = [];
      const code = await moveBlobs.run({
        settings: from as typeof settings,
        words: [],
        flags: { to, remove: seconds },
        out: (line) => lines.push(line),
        err: (line) => lines.push(line),
        stop: stop.signal,
      });
      return [code, ...lines];
    };
    const target = openBlobs({ kind: 'embedded' } as never, there);
    await target.put(digestOf('file 1'), bytesOf('file 1'));
    expect(await move('s3://skills/moved', { ...settings, blobsEndpoint: endpoint })).toEqual([
      0,
      'copied 4, 1 were there; start the registry with --blobs s3://skills/moved',
    ]);
    rmSync(join(made.data, 'blobs'), { recursive: true });
    expect((await move('files', there))[0]).toBe(0);
    expect(Buffer.from((await files.get(digestOf('file 3')))!).toString()).toBe('file 3');
    stop.abort();
    expect((await move('files', there))[0]).toBe(130);
    rmSync(made.data, { recursive: true, force: true });
  });

  test('a registry publishes, reads, backs up and purges with it', async (context) => {
    const world = await openSkillWorld(
      async (_, settings) =>
        openTestRegistry('postgres', { ...settings, blobs: 's3://skills/registry', blobsEndpoint: endpoint }),
      context,
    );
    try {
      const { value } = await world.publish('@acme/alpha@1.0.0');
      expect((await world.ask('publisher', `GET archives/${value.archive}`)).status).toBe(200);
      expect((await world.ask('publisher', 'GET read/@acme/alpha/outline')).status).toBe(200);
      world.registry.settings.blobsRedirect = true;
      const moved = await world.ask('publisher', `GET archives/${value.archive}`);
      expect([moved.status, moved.headers.get('cache-control')]).toEqual([307, 'no-store']);
      expect(
        digestOf(new Uint8Array(await (await fetch(moved.headers.get('location')!)).arrayBuffer())),
      ).toBe(value.archive);
      const findings = await examine(world.registry, { isThorough: true });
      expect(
        findings.filter(({ check, state }) => ['archives', 'orphans'].includes(check) && state !== 'ok'),
      ).toEqual([]);
      const { blobs } = await writeBackup(world.registry, async () => {});
      expect(blobs).toBe(2);
      await world.call('root', 'POST skills/@acme/alpha/1.0.0/purge', { purged: 'odd' });
      expect(await world.registry.blobs.get(value.archive)).toBeUndefined();
    } finally {
      await world.registry.close();
      rmSync(world.data, { recursive: true, force: true });
    }
  });
});

describe.skipIf(weed === undefined && !process.env.CI)('a full disk of the object store', () => {
  test('refuses a publication whole, keeps what it has, and goes on when there is room', async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'skw-full-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory]);
    if (status !== 0) context.skip('mounting a small disk needs root');
    onTestFinished(() => void spawnSync('umount', ['-l', directory]));
    useCredentials();
    const store = await startWeed(directory);
    onTestFinished(() => store.kill());
    const world = await openSkillWorld(
      async (_, settings) =>
        openTestRegistry('postgres', {
          ...settings,
          blobs: 's3://skills/full',
          blobsEndpoint: store.endpoint,
        }),
      context,
    );
    onTestFinished(async () => {
      await world.registry.close();
      rmSync(world.data, { recursive: true, force: true });
    });
    const versions = async () =>
      (await world.call('publisher', 'GET skills/@acme/alpha')).value.versions.map(
        ({ version }: { version: string }) => version,
      );
    const bytesAt = async (digest: string) =>
      digestOf(new Uint8Array(await (await world.ask('publisher', `GET archives/${digest}`)).arrayBuffer()));
    const first = await world.publish('@acme/alpha@1.0.0');
    const filler = join(directory, 'filler');
    fillDisk(filler);
    // More than the room that is left in the last block of a file.
    const numbers = Array.from({ length: 30_000 }, (_, at) => Math.imul(at, 2_654_435_761) >>> 0).join('\n');
    const publishNext = () => world.publish('@acme/alpha@1.1.0', { files: { 'numbers.csv': numbers } });
    const refused = await publishNext();
    expect([refused.status, refused.value.error]).toEqual([
      503,
      {
        code: 'unavailable',
        message: expect.stringMatching(/^the object store answered 5\d\d \w+; try again in a moment$/),
      },
    ]);
    expect(await versions()).toEqual(['1.0.0']);
    expect(await bytesAt(first.value.archive)).toBe(first.value.archive);
    rmSync(filler);
    const again = await vi.waitFor(
      async () => {
        const answer = await publishNext();
        expect(answer.status).toBe(201);
        return answer;
      },
      { timeout: 120_000, interval: 1000 },
    );
    expect(await versions()).toEqual(['1.1.0', '1.0.0']);
    expect(await bytesAt(again.value.archive)).toBe(again.value.archive);
    const findings = await examine(world.registry, { isThorough: true });
    expect(findings.filter(({ check, state }) => check === 'archives' && state !== 'ok')).toEqual([]);
  });
});

/** Writes until nothing more fits. */
function fillDisk(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4))
      try {
        for (;;) if (writeSync(descriptor, Buffer.alloc(size)) < size) break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
  } finally {
    closeSync(descriptor);
  }
}
