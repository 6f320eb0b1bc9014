import { expect, test } from 'vitest';
import { anonymous, type Caller } from '../src/access/caller.ts';
import { countDownload, downloadsByDay, flushDownloads } from '../src/catalog/count-download.ts';
import { insertSkill } from './insert-skill.ts';
import { onBothDatabases } from './open-test-registry.ts';

const DAY = 86_400_000;

onBothDatabases('downloads', (open) => {
  test('count each identity once for a version and a day, and sum up by day', async (context) => {
    const { registry, pass } = await open(context);
    const { versionId, skillId } = await insertSkill(registry, { name: 'demo' });
    const second = await insertSkill(registry, { name: 'demo', version: '1.1.0' });
    const account: Caller = { ...anonymous, via: 'token', account: { id: 1, name: 'admin', isAdmin: true } };
    const day = () => registry.now().toISOString().slice(0, 10);
    const today = day();
    for (const caller of [anonymous, anonymous, account])
      for (const address of ['192.0.2.1', '192.0.2.2'])
        countDownload(registry, { versionId, caller, address });
    await flushDownloads(registry);
    countDownload(registry, { versionId, caller: anonymous, address: '192.0.2.1' });
    countDownload(registry, { versionId: second.versionId, caller: anonymous, address: '192.0.2.1' });
    countDownload(registry, { versionId: 1_000_000, caller: anonymous, address: '192.0.2.1' });
    await flushDownloads(registry);
    expect(await downloadsByDay(registry, skillId, 2)).toEqual([
      { day: new Date(Date.parse(today) - DAY).toISOString().slice(0, 10), count: 0 },
      { day: today, count: 4 },
    ]);
    pass(3 * DAY);
    countDownload(registry, { versionId, caller: anonymous, address: '192.0.2.1' });
    await flushDownloads(registry);
    expect((await downloadsByDay(registry, skillId, 4)).map(({ count }) => count)).toEqual([4, 0, 0, 1]);
    const [row] = await registry.database.query('select downloads from skills where id = $1', [skillId]);
    expect(row).toEqual({ downloads: 5 });
  });

  test('keep no address, and forget who it was after two days', async (context) => {
    const { registry, pass } = await open(context);
    const { versionId } = await insertSkill(registry, { name: 'demo' });
    countDownload(registry, { versionId, caller: anonymous, address: '192.0.2.1' });
    await flushDownloads(registry);
    const marks = () =>
      registry.database.query<{ identity: Uint8Array }>('select identity from download_marks');
    const before = await marks();
    expect(before.map(({ identity }) => identity.length)).toEqual([16]);
    pass(3 * DAY);
    countDownload(registry, { versionId, caller: anonymous, address: '192.0.2.1' });
    await flushDownloads(registry);
    const after = await marks();
    expect(after).toHaveLength(1);
    expect(Buffer.from(after[0]!.identity)).not.toEqual(Buffer.from(before[0]!.identity));
    expect(await registry.database.query('select count(*) as count from download_salts')).toEqual([
      { count: 1 },
    ]);
  });

  test('a request does not wait, and a database that is away loses nothing', async (context) => {
    const { registry } = await open(context);
    const { versionId, skillId } = await insertSkill(registry, { name: 'demo' });
    const { transaction } = registry.database;
    const broken = registry.database as { transaction: unknown };
    broken.transaction = () => Promise.reject(new Error('away'));
    expect(countDownload(registry, { versionId, caller: anonymous, address: '192.0.2.1' })).toBeUndefined();
    await flushDownloads(registry);
    broken.transaction = transaction;
    await flushDownloads(registry);
    expect((await downloadsByDay(registry, skillId, 1)).map(({ count }) => count)).toEqual([1]);
  });
});
