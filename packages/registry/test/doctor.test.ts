import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeBackup } from '../src/backup/write-backup.ts';
import { examine } from '../src/doctor/examine.ts';
import { repairArchives, tidy } from '../src/doctor/repair-archives.ts';
import { currentCheckpoint } from '../src/log/open-log.ts';
import { indexKey } from '../src/reading/prepare-version.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { digestOfBytes, openSkillWorld } from './skill-world.ts';

onBothDatabases('doctor', (open) => {
  test('finds a log that was changed, versions without leaf, missing archives and webhooks that are off', async (context) => {
    const world = await openSkillWorld(open, context);
    const { registry } = world;
    await world.publish('@acme/one@1.0.0');
    await world.publish('@acme/two@1.0.0');
    await currentCheckpoint(registry);
    const look = async () =>
      (await examine(registry, { isThorough: true })).filter(
        ({ check, fix }) =>
          ['log', 'archives', 'documents', 'webhooks'].includes(check) &&
          fix?.startsWith('set --log-memory') !== true,
      );
    const healthy = ['log', 'archives', 'documents'].map((check) => [check, 'ok']);
    const states = async () => (await look()).map(({ check, state }) => [check, state]);
    expect(await states()).toEqual(healthy);

    // An archive that is missing or damaged comes back from a backup, and from nothing else.
    const file = join(world.data, 'backup.tar');
    writeFileSync(file, '');
    await writeBackup(registry, async (bytes) => appendFileSync(file, bytes));
    const archives = await registry.database.query<{ digest: string }>(
      'select archive_digest as digest from versions order by id',
    );
    const [first, second] = archives.map(({ digest }) => digest);
    await registry.blobs.remove(first!);
    await registry.blobs.remove(second!);
    await registry.blobs.put(second!, Buffer.from('other bytes'));
    expect((await look())[1]).toEqual({
      check: 'archives',
      state: 'error',
      message: '2 of 2 cannot be served: @acme/two@1.0.0 (damaged), @acme/one@1.0.0 (missing)',
      fix: 'put them back from a backup: skillwright-registry doctor --repair <file.tar>; or purge these versions',
    });
    expect(await repairArchives(registry, file)).toEqual({
      check: 'repair',
      state: 'ok',
      message: `put back 2 of 2 archives from ${file}`,
    });
    expect(await states()).toEqual(healthy);

    await registry.database.query(
      `update versions set document = document || ' ' where id = (select max(id) from versions)`,
    );
    expect((await look())[2]).toMatchObject({
      state: 'error',
      message: '1 of 2 versions are not as they were published: @acme/two@1.0.0 (changed)',
    });
    await registry.database.query(
      `update versions set document_digest = 'sha256:' || encode(sha256(convert_to(document, 'UTF8')), 'hex')`,
    );
    expect((await look())[2]).toMatchObject({
      state: 'error',
      message: '1 of 2 versions are not as they were published: @acme/two@1.0.0 (another one is in the log)',
    });
    await registry.database.query('update versions set document = rtrim(document)');
    await registry.database.query(
      `update versions set document_digest = 'sha256:' || encode(sha256(convert_to(document, 'UTF8')), 'hex')`,
    );

    await registry.database.query(
      `insert into webhooks (id, owner_id, url, secret, disabled)
       select 'w', id, 'https://hooks.example/x', 's', 'switched off after 5 failures' from owners where name = 'acme'`,
    );
    const [version] = await registry.database.query<{ digest: string }>(
      `select archive_digest as digest from versions order by id limit 1`,
    );
    await registry.blobs.remove(version!.digest);
    await registry.database.query(
      `update log_leaves set version_id = null where version_id = (select max(id) from versions)`,
    );
    expect((await look()).map(({ state, message }) => [state, message])).toEqual([
      ['error', '1 versions are not in the log: @acme/two@1.0.0'],
      ['error', '1 of 2 cannot be served: @acme/one@1.0.0 (missing)'],
      ['ok', '2 agree with their digests and the log'],
      ['warning', 'the one of @acme to hooks.example is switched off after 5 failures'],
    ]);

    await registry.database.query(`update log_leaves set leaf = 'other' where index = 0`);
    await registry.database.query(`update log_hashes set hash = sha256('x') where level = 1 and index = 0`);
    const messages = (await look()).filter(({ check }) => check === 'log').map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringMatching(/^the signed checkpoint of \d+ leaves is not a part of the log$/),
      'leaf 0 is missing or was changed',
      'hash 1/0 does not belong to the leaves below it',
      '1 versions are not in the log: @acme/two@1.0.0',
    ]);
  });

  test('finds archives nobody uses and skills that search does not find, and tidies both', async (context) => {
    const world = await openSkillWorld(open, context);
    const { registry } = world;
    const { database, blobs } = registry;
    for (const name of ['one', 'two', 'three', 'four', 'five']) await world.publish(`@acme/${name}@1.0.0`);
    await world.call('admin', 'PATCH skills/@acme/four', { visibility: 'public' });
    const look = async (isThorough: boolean) =>
      (await examine(registry, { isThorough })).filter(({ check }) => ['orphans', 'search'].includes(check));
    const healthy = [
      { check: 'orphans', state: 'ok', message: 'every archive belongs to a version' },
      { check: 'search', state: 'ok', message: 'the index agrees with 5 skills' },
    ];
    expect([await look(false), await look(true)]).toEqual([healthy, healthy]);
    const found = async () =>
      (await world.call('publisher', 'GET search?q=checks&sort=name')).value.skills.map(
        ({ name }: { name: string }) => name,
      );
    const everything = await found();
    expect(everything).toHaveLength(5);

    const bytes = Buffer.from('an archive whose publication was killed');
    const orphan = digestOfBytes(bytes);
    await blobs.put(orphan, bytes);
    await blobs.put(indexKey(orphan), bytes);
    const idOf = (name: string) => `(select id from skills where name = '${name}')`;
    await database.query(`delete from search_documents where skill_id = ${idOf('one')}`);
    await database.query(
      `delete from search_postings where skill_id = ${idOf('two')} and term =
        (select terms[1] from search_documents where skill_id = ${idOf('two')})`,
    );
    await database.query(`update skills set shown = null where name = 'three'`);
    await database.query(`update search_documents set scope = 9 where skill_id = ${idOf('four')}`);
    const broken = [
      {
        check: 'orphans',
        state: 'warning',
        message: `no version uses 1 of the archives: ${orphan.slice(0, 19)}`,
        fix: 'remove them: skillwright-registry doctor --tidy',
      },
      {
        check: 'search',
        state: 'error',
        message:
          '4 of 5 skills are not found as they should be: @acme/one (not in the index), @acme/two (words are missing), @acme/three (still in the index), @acme/four (found by others)',
        fix: 'index them again: skillwright-registry doctor --tidy',
      },
    ];
    expect([await look(false), await look(true)]).toEqual([broken, broken]);

    expect(await tidy(registry)).toEqual([
      { check: 'tidy', state: 'ok', message: 'removed 1 archives that no version used' },
      { check: 'tidy', state: 'ok', message: 'indexed 4 skills again' },
    ]);
    expect([
      await look(true),
      await blobs.get(orphan),
      await blobs.get(indexKey(orphan)),
      await found(),
    ]).toEqual([healthy, undefined, undefined, everything]);
    const [archive] = await database.query<{ digest: string }>(
      'select archive_digest as digest from versions',
    );
    expect((await blobs.get(archive!.digest)) !== undefined).toBe(true);
  });
});
