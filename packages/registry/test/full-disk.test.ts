import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileBlobs } from '../src/store/file-blobs.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld } from './skill-world.ts';

onBothDatabases('a full disk', (open) => {
  test('is 503 with the reason, and nothing is published', async (context) => {
    const world = await openSkillWorld(open, context);
    const { blobs, database } = world.registry;
    const { put, putAll } = blobs;
    const { transaction } = database;
    const fail = (code: string) => async () => {
      throw Object.assign(new Error('no space left on device'), { code });
    };
    const refused = {
      status: 503,
      value: {
        error: { code: 'unavailable', message: 'the disk of the registry is full; tell its administrators' },
      },
    };
    // From the file system, where archives are files; and from PostgreSQL.
    Object.assign(blobs, { put: fail('ENOSPC'), putAll: fail('ENOSPC') });
    if (database.kind === 'embedded') expect(await world.publish('@acme/demo@1.0.0')).toEqual(refused);
    Object.assign(blobs, { put, putAll });
    Object.assign(database, { transaction: fail('53100') });
    expect(await world.publish('@acme/demo@1.0.0')).toEqual(refused);
    Object.assign(database, { transaction });
    expect((await world.call('admin', 'GET skills/@acme/demo')).status).toBe(404);
    expect((await world.publish('@acme/demo@1.0.0')).status).toBe(201);
  });
});

test('an archive that cannot be written leaves no part of it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'skw-blobs-'));
  const hex = 'ab'.repeat(32);
  // There is a directory in place of the file.
  mkdirSync(join(directory, 'sha256', 'ab', hex), { recursive: true });
  await expect(fileBlobs(directory).put(`sha256:${hex}`, Buffer.from('x'))).rejects.toThrow();
  expect(readdirSync(join(directory, 'sha256', 'ab'))).toEqual([hex]);
  rmSync(directory, { recursive: true, force: true });
});
