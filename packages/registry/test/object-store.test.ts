// Archives in an object store: the same registry, against a real server where there is one.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findObjectStore } from '../../skillwright/test/required-program.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { digestOf } from '../src/base/digest-of.ts';
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

// Under CI a missing program is a failure.
describe.skipIf(weed === undefined && !process.env.CI)('archives in SeaweedFS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'skw-weed-'));
  let process_: ReturnType<typeof spawn> | undefined;
  let endpoint = '';
  const ports: number[] = [];
  const start = async () => {
    const [s3, master, volume, filer] = ports;
    process_ = spawn(
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
  const open = (prefix: string) =>
    s3Blobs({ place: `s3://skills/${prefix}`, endpoint, region: 'us-east-1', isPathStyle: true, ...keys });
  beforeAll(async () => {
    for (let count = 0; count < 4; count++) ports.push(10_000 + ((await freePort()) % 30_000));
    endpoint = `http://127.0.0.1:${ports[0]}`;
    const made = async () => {
      const { AwsClient } = await import('aws4fetch');
      const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1', retries: 0 });
      const response = await client.fetch(`${endpoint}/skills`, { method: 'PUT' });
      if (!response.ok && response.status !== 409) throw new Error(String(response.status));
    };
    const starting = start().catch(() => {});
    await vi.waitFor(made, { timeout: 120_000, interval: 500 });
    await starting;
  });
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'admin');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  });
  afterAll(() => {
    process_?.kill('SIGKILL');
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
    const ended = once(process_!, 'exit');
    process_!.kill('SIGKILL');
    await ended;
    await expect(blobs.put(digestOf('late'), bytesOf('late'))).rejects.toMatchObject({ code: 'unavailable' });
    await start();
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
