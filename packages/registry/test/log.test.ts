import { rmSync } from 'node:fs';
import type { LogEntry } from 'skillwright/registry-protocol';
import {
  canonicalJson,
  checkAdvance,
  checkProof,
  decodeEntries,
  generateLogKey,
  hashLeaf,
  inclusionProof,
  isSameHash,
  leafOf,
  parseLeaf,
  parseProof,
  proveSubject,
  rootOf,
  spellProof,
  verifyInclusion,
} from 'skillwright/transparency-log';
import { expect, test } from 'vitest';
import { appendLeaves } from '../src/log/append-leaf.ts';
import { currentCheckpoint, openLog } from '../src/log/open-log.ts';
import { createMemory, type Registry } from '../src/registry.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { logVersion, readLog, versionEntry } from './log-world.ts';
import { onBothDatabases, openTestRegistry, requirePostgres } from './open-test-registry.ts';
import { postgresServer } from './postgres-server.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, number) => number);

onBothDatabases('the log', (open) => {
  test('starts empty, under the address of the registry', async (context) => {
    const { app, registry } = await open(context, { publicUrl: 'https://skills.example/team/' });
    const { origin, verifier, replaced } = await openLog(registry);
    expect([origin, replaced]).toEqual(['skills.example/team/log', null]);
    expect(await (await app.request('/log/key')).text()).toBe(`${verifier}\n`);
    const { checkpoint } = await readLog(app);
    expect(await checkpoint()).toMatchObject({ origin, size: 0, cosignatures: [] });
    registry.publicUrl = 'https://elsewhere.example';
    expect(await openLog(registry)).toEqual({ origin, verifier, replaced: null });
  });

  test('holds every entry, and serves tiles that lead to its checkpoint', async (context) => {
    const { app, registry } = await open(context);
    await registry.database.transaction(async (tx) => {
      for (const number of numbered(300)) {
        const entry = versionEntry('@team/demo', `1.0.${number}`);
        expect(await appendLeaves(tx, registry, [{ entry, isPrivate: false }])).toBe(number);
      }
    });
    const { checkpoint, tilesOf, bytes } = await readLog(app);
    const now = await checkpoint();
    expect(now).toMatchObject({ origin: 'registry.test/log', size: 300 });
    const read = tilesOf(now);
    expect(isSameHash(await rootOf(300, read), now.root)).toBe(true);
    const leaves = [
      ...decodeEntries(await bytes('/log/tile/entries/000'), 256),
      ...decodeEntries(await bytes('/log/tile/entries/001.p/44'), 44),
    ];
    for (const [index, leaf] of leaves.entries()) {
      expect(parseLeaf(leaf)).toEqual(versionEntry('@team/demo', `1.0.${index}`));
      const proof = await inclusionProof({ index, size: 300 }, read);
      expect(verifyInclusion({ leaf: hashLeaf(leaf), index, size: 300, proof, root: now.root })).toBe(true);
    }
  });

  test('lets full tiles be cached for ever, and has no others', async (context) => {
    const { app, registry } = await open(context);
    await registry.database.transaction(async (tx) => {
      for (const number of numbered(257)) {
        await appendLeaves(tx, registry, [{ entry: versionEntry('@a/b', `${number}.0.0`), isPrivate: true }]);
      }
    });
    const look = async (path: string) => {
      const response = await app.request(path);
      return [
        response.status,
        response.headers.get('cache-control'),
        (await response.arrayBuffer()).byteLength,
      ];
    };
    const forever = 'public, max-age=31536000, immutable';
    expect(await look('/log/tile/0/000')).toEqual([200, forever, 8192]);
    expect(await look('/log/1/tile/0/000')).toEqual([200, forever, 8192]);
    expect((await look('/log/tile/entries/000')).slice(0, 2)).toEqual([200, forever]);
    expect(await look('/log/tile/0/001.p/1')).toEqual([200, 'no-cache', 32]);
    expect(await look('/log/tile/0/000.p/7')).toEqual([200, 'no-cache', 224]);
    expect(await look('/log/tile/1/000.p/1')).toEqual([200, 'no-cache', 32]);
    expect((await look('/log/checkpoint')).slice(0, 2)).toEqual([200, 'no-cache']);
    for (const path of ['0/001', '0/001.p/2', '1/000', '2/000.p/1', '63/000', '0/x', 'entries/001']) {
      expect((await look(`/log/tile/${path}`))[0], path).toBe(404);
    }
    expect((await look('/log/2/tile/0/000'))[0]).toBe(404);
    expect((await look('/log/2/checkpoint'))[0]).toBe(404);
  });

  test('commits a leaf with its change, or neither', async (context) => {
    const { app, registry } = await open(context);
    await logVersion(registry, { name: 'demo' });
    const failing = registry.database.transaction(async (tx) => {
      await tx.query(`insert into owners (name, skeleton) values ('lost', 'lost')`);
      await appendLeaves(tx, registry, [{ entry: versionEntry('@lost/demo'), isPrivate: false }]);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await logVersion(registry, { name: 'other' })).toBe(1);
    expect((await (await readLog(app)).checkpoint()).size).toBe(2);
  });

  test('stays consistent under 20 transactions at once', async (context) => {
    const { app, registry } = await open(context);
    const { checkpoint, tilesOf } = await readLog(app);
    const seen = [await checkpoint()];
    const indexes = await Promise.all(
      numbered(20).map(async (number) => {
        const index = await logVersion(registry, { name: `skill-${number}` });
        seen.push(await checkpoint());
        return index;
      }),
    );
    expect(indexes.toSorted((one, other) => one - other)).toEqual(numbered(20));
    const last = await checkpoint();
    expect(last.size).toBe(20);
    const read = tilesOf(last);
    for (const known of seen) {
      const advance = await checkAdvance({ known, offered: last, read });
      expect(advance).toBe(known.size === 20 ? 'same' : 'newer');
    }
  });

  test('signs with the key of the settings, and refuses one of another log', async (context) => {
    const { secret, verifier } = generateLogKey('skills.example/log');
    const { app, registry } = await open(context, { logSigningKey: secret });
    expect(await openLog(registry)).toMatchObject({ origin: 'skills.example/log', verifier });
    expect((await (await readLog(app)).checkpoint()).origin).toBe('skills.example/log');
    const other = {
      ...registry,
      settings: { ...registry.settings, logSigningKey: generateLogKey('x.example').secret },
    };
    await expect(openLog(other)).rejects.toMatchObject({ code: 'E110' });
    const rows = await registry.database.query(`select from settings where key = 'log'`);
    expect(rows).toEqual([]);
  });
});

onBothDatabases('proofs', (open) => {
  const proofOf = async (
    { app }: Awaited<ReturnType<typeof open>>,
    { path = '@team/demo/1.0.0', token }: { path?: string; token?: string } = {},
  ) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await app.request(`/api/v1/skills/${path}/proof`, { headers });
    return { status: response.status, text: await response.text() };
  };

  test('show a public version to everybody, and cannot be forged', async (context) => {
    const world = await open(context);
    for (const name of ['one', 'two', 'demo', 'three']) {
      await logVersion(world.registry, { name, visibility: 'public' });
    }
    const { key } = await readLog(world.app);
    const { status, text } = await proofOf(world);
    expect(status).toBe(200);
    expect(checkProof(text, { key })).toMatchObject({
      entry: versionEntry('@team/demo'),
      index: 2,
      checkpoint: { origin: 'registry.test/log', size: 4 },
    });
    const proof = parseProof(text);
    expect(() => checkProof(spellProof({ ...proof, index: 1 }), { key })).toThrow('log proof does not match');
    expect(() => checkProof(text, { key: generateLogKey('registry.test/log').signer })).toThrow('not signed');
    const other = parseProof((await proofOf(world, { path: '@team/one/1.0.0' })).text);
    expect(() => checkProof(spellProof({ ...proof, extra: other.extra }), { key })).toThrow(
      'log proof does not match',
    );
  });

  test('show a private version to its readers alone, and the log shows nothing of it', async (context) => {
    const world = await open(context);
    const { app, registry, adminToken } = world;
    await logVersion(registry, { name: 'demo', visibility: 'private' });
    await logVersion(registry, { name: 'demo', version: '2.0.0', visibility: 'private' });
    const { key, bytes } = await readLog(app);
    const missing = await proofOf(world, { path: '@team/none/1.0.0' });
    expect(await proofOf(world)).toEqual(missing);
    expect(missing.status).toBe(404);
    expect(checkProof((await proofOf(world, { token: adminToken })).text, { key })).toMatchObject({
      entry: versionEntry('@team/demo'),
      index: 0,
    });
    const leaves = decodeEntries(await bytes('/log/tile/entries/000.p/2'), 2).map((leaf) =>
      Buffer.from(leaf).toString(),
    );
    const hash = '"sha256:[0-9a-f]{64}"';
    for (const leaf of leaves) expect(leaf).toMatch(new RegExp(`^{"commitment":${hash},"subject":${hash}}$`));
    const subjects = leaves.map((leaf) => (JSON.parse(leaf) as { subject: string }).subject);
    expect(new Set(subjects).size).toBe(2);
    expect(new Set(leaves).size).toBe(2);
  });

  test('of a private version need the one subject that the key has for it', async (context) => {
    const world = await open(context);
    await logVersion(world.registry, { name: 'demo', visibility: 'private' });
    const { text } = await proofOf(world, { token: world.adminToken });
    const { key } = await readLog(world.app);
    const signer = generateLogKey('registry.test/log').signer;
    const [, extra = ''] = /^extra (.+)$/m.exec(text) ?? [];
    const opening = JSON.parse(Buffer.from(extra, 'base64').toString()) as Record<string, unknown>;
    const withOpening = (changed: Record<string, unknown>) =>
      text.replace(extra, Buffer.from(canonicalJson({ ...opening, ...changed })).toString('base64'));
    expect(checkProof(withOpening({}), { key })).toMatchObject({ isPrivate: true });
    const other = Buffer.from(proveSubject('@team/demo', signer)).toString('base64');
    for (const subject of [other, undefined, '', 'AAAA'])
      expect(() => checkProof(withOpening({ subject }), { key })).toThrow('malformed log data');
  });

  test('hide versions that wait for review', async (context) => {
    const world = await open(context);
    await logVersion(world.registry, { name: 'demo', visibility: 'public', review: 'pending' });
    expect((await proofOf(world)).status).toBe(404);
    expect((await proofOf(world, { token: world.adminToken })).status).toBe(200);
    expect((await proofOf(world, { path: '@TEAM/demo/1.0.0' })).status).toBe(404);
  });

  test('come with every entry about a skill, for those who may see it', async (context) => {
    const { app, registry, adminToken } = await open(context);
    await logVersion(registry, { name: 'demo', visibility: 'private' });
    const state: LogEntry = {
      kind: 'state',
      name: '@team/demo',
      version: '1.0.0',
      change: 'yanked',
      reason: 'broken',
      time: '2026-01-01T00:00:00.000Z',
    };
    const owner: LogEntry = {
      kind: 'owner',
      owner: 'team',
      change: 'member',
      account: 'ann',
      roles: ['reader'],
      time: '2026-01-01T00:00:00.000Z',
    };
    await registry.database.transaction(async (tx) => {
      const [skill] = await tx.query<{ id: number }>('select id from skills');
      await appendLeaves(tx, registry, [{ entry: state, isPrivate: true, skillId: skill!.id }]);
      await appendLeaves(tx, registry, [{ entry: owner, isPrivate: false }]);
    });
    expect((await app.request('/api/v1/skills/@team/demo/log')).status).toBe(404);
    const response = await app.request('/api/v1/skills/@team/demo/log', {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const listed = (await response.json()) as {
      origin: string;
      entries: { entry: LogEntry; salt: string; subject: string | null }[];
    };
    expect(listed).toEqual({
      origin: 'registry.test/log',
      entries: [
        {
          index: 0,
          entry: versionEntry('@team/demo'),
          salt: expect.any(String),
          subject: expect.any(String),
        },
        { index: 1, entry: state, salt: expect.any(String), subject: null },
      ],
    });
    const { bytes } = await readLog(app);
    const leaves = decodeEntries(await bytes('/log/tile/entries/000.p/3'), 3);
    for (const [index, { entry, salt, subject }] of listed.entries.entries()) {
      expect(leafOf({ entry, salt: Buffer.from(salt, 'base64'), subject: subject ?? undefined })).toEqual(
        Buffer.from(leaves[index]!),
      );
    }
    expect(parseLeaf(leaves[2]!), 'owners name accounts, so they are never public').toBeUndefined();
  });
});

test('the log of several processes on one PostgreSQL stays one log, from its first leaf', async (context) => {
  requirePostgres(context);
  const { app, registry, data } = await openTestRegistry('postgres');
  const [{ name }] = (await registry.database.query<{ name: string }>(
    'select current_database() as name',
  )) as [{ name: string }];
  const databases = numbered(3).map(() => openPostgres(postgresServer().urlOf(name), { connections: 5 }));
  try {
    const processes = databases.map(
      (database): Registry => ({ ...registry, ...createMemory(registry.settings), database }),
    );
    const indexes = await Promise.all(
      numbered(60).map(async (number) => {
        const index = await logVersion(processes[number % 3]!, {
          name: `skill-${number % 7}`,
          version: `1.0.${number}`,
        });
        if (number % 5 === 0) await currentCheckpoint(processes[number % 3]!);
        return index;
      }),
    );
    expect(indexes.toSorted((one, other) => one - other)).toEqual(numbered(60));
    const { checkpoint, tilesOf } = await readLog(app);
    const last = await checkpoint();
    expect(last.size).toBe(60);
    const read = tilesOf(last);
    const signed = await registry.database.query<{ size: number; root: Uint8Array }>(
      'select size, root from log_checkpoints order by size',
    );
    for (const { size, root } of signed)
      expect(await rootOf(size, read), String(size)).toEqual(Buffer.from(root));
    expect(await registry.database.query('select generation from log_origins')).toEqual([{ generation: 1 }]);
  } finally {
    for (const database of [...databases, registry.database]) await database.close();
    rmSync(data, { recursive: true });
  }
});
