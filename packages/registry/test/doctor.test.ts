import { expect, test } from 'vitest';
import { examine } from '../src/doctor/examine.ts';
import { currentCheckpoint } from '../src/log/current-checkpoint.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld } from './skill-world.ts';

onBothDatabases('doctor', (open) => {
  test('finds a log that was changed, versions without leaf, missing archives and webhooks that are off', async (context) => {
    const world = await openSkillWorld(open, context);
    const { registry } = world;
    await world.publish('@acme/one@1.0.0');
    await world.publish('@acme/two@1.0.0');
    await currentCheckpoint(registry);
    const look = async () =>
      (await examine(registry, { isThorough: true })).filter(({ check }) =>
        ['log', 'archives', 'webhooks'].includes(check),
      );
    expect((await look()).map(({ check, state }) => [check, state])).toEqual([
      ['log', 'ok'],
      ['archives', 'ok'],
    ]);

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
});
