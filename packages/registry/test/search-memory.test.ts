import { rmSync } from 'node:fs';
import type { SearchPage } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import { anonymous } from '../src/access/caller.ts';
import { record } from '../src/access/record.ts';
import { countDownload, flushDownloads } from '../src/catalog/count-download.ts';
import { createMemory, type Registry } from '../src/registry.ts';
import { pruneChanges } from '../src/search/search-changes.ts';
import { createApp } from '../src/server/create-app.ts';
import type { Database } from '../src/store/database.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { createReader } from './create-reader.ts';
import { insertSkill } from './insert-skill.ts';
import { onBothDatabases, openTestRegistry, requirePostgres } from './open-test-registry.ts';
import { postgresServer } from './postgres-server.ts';

type Headers = Record<string, string>;

interface Process {
  /** One search. */
  find(query: Record<string, string>, headers?: Headers): Promise<SearchPage>;
  /** The names found. */
  names(query: Record<string, string>, headers?: Headers): Promise<string[]>;
  /** Statements of one search. */
  statements(query: Record<string, string>): Promise<number>;
}

/** A process with a memory of its own on the database of another. `pass` may hold the rows of a statement back. */
function startProcess(
  { database, ...registry }: Registry,
  pass: (sql: string) => Promise<void> = () => Promise.resolve(),
): Process {
  let count = 0;
  const counting: Database = {
    ...database,
    query: async <Row>(sql: string, parameters?: readonly unknown[]) => {
      count += 1;
      const rows = await database.query<Row>(sql, parameters);
      await pass(sql);
      return rows;
    },
  };
  const app = createApp({ ...registry, ...createMemory(registry.settings), database: counting });
  const find: Process['find'] = async (query, headers = {}) => {
    const response = await app.request(`/api/v1/search?${new URLSearchParams(query)}`, { headers });
    expect(response.status).toBe(200);
    return (await response.json()) as SearchPage;
  };
  return {
    find,
    names: async (query, headers) => (await find(query, headers)).skills.map(({ name }) => name),
    async statements(query) {
      const before = count;
      await find(query);
      return count - before;
    },
  };
}

/** Scores depend on counts that may be some minutes old. */
const withoutScores = ({ skills, ...page }: SearchPage) => ({
  ...page,
  skills: skills.map(({ score: _, ...skill }) => skill),
});

onBothDatabases('memory of search', (open) => {
  test('one statement finds again what was found; only changed skills are read once more', async (context) => {
    const { registry } = await open(context);
    const { versionId, skillId } = await insertSkill(registry, {
      name: 'moon',
      description: 'Shows phases.',
    });
    await insertSkill(registry, { name: 'sun', description: 'Shows spots.' });
    const here = startProcess(registry);
    const both = { q: 'shows' };
    const other = { q: 'spots' };
    const cold = [await here.statements(both), await here.statements(other)];
    const warm = [await here.statements(both), await here.statements(other)];
    expect({ cold, warm }).toEqual({ cold: [4, 2], warm: [1, 1] });

    const system = { ...anonymous, via: 'system' as const };
    await registry.database.transaction((tx) => record(tx, system, { action: 'skill.report', skillId }));
    await createReader(registry, { account: 'rita', ownerId: 1 });
    expect([await here.statements(both), await here.statements(other)]).toEqual([1, 1]);

    countDownload(registry, { versionId, caller: anonymous, address: '192.0.2.1' });
    await flushDownloads(registry);
    expect([await here.statements(other), await here.statements(both)]).toEqual([1, 2]);
    expect((await here.find(both)).skills.map(({ name, downloads }) => [name, downloads])).toEqual([
      ['@acme/moon', 1],
      ['@acme/sun', 0],
    ]);

    await registry.database.query('update skills set rating_sum = 5, rating_count = 1 where id = $1', [
      skillId,
    ]);
    expect([await here.statements(other), await here.statements(both)]).toEqual([1, 2]);

    await insertSkill(registry, { name: 'stars', description: 'Shows constellations.' });
    expect([await here.statements(other), await here.statements(both)]).toEqual([1, 3]);
    expect((await here.names(both)).toSorted()).toEqual(['@acme/moon', '@acme/stars', '@acme/sun']);
  });

  test('every change shows in the next search as in a process without memory', async (context) => {
    const { registry } = await open(context);
    const { database } = registry;
    const { ownerId, skillId } = await insertSkill(registry, { name: 'moon', description: 'Shows phases.' });
    await insertSkill(registry, { name: 'sun', owner: 'zed', description: 'Shows spots.' });
    const reader = await createReader(registry, { account: 'rita', ownerId });
    const here = startProcess(registry);
    const queries = [
      { q: 'shows' },
      { q: 'phases' },
      { q: 'mo' },
      { q: 'shows', owner: 'acme' },
      { q: 'shows', owner: 'zed' },
      { q: 'shows', tag: 'night' },
      { q: 'shows', category: 'sky' },
      { q: 'mo', level: 'official' },
    ];
    const ask = async ({ find }: Process) => {
      const pages: unknown[] = [];
      for (const query of queries)
        for (const headers of [{}, reader]) pages.push(withoutScores(await find(query, headers)));
      return pages;
    };
    let before = await ask(here);
    for (const change of [
      `update skills set description = 'Draws phases.' where id = $1`,
      `update skills set deprecated = 'use sun' where id = $1`,
      `update skills set level = 'official' where id = $1`,
      `update skills set tags = '{night}', category = 'sky' where id = $1`,
      `update skills set license = 'MIT', latest = '2.0.0' where id = $1`,
      `update skills set downloads = 7, rating_sum = 4, rating_count = 1 where id = $1`,
      `update skills set visibility = 'private' where id = $1`,
      `update skills set owner_id = (select id from owners where name = 'zed') where id = $1`,
      `update skills set visibility = 'public' where id = $1`,
      `update skills set is_withheld = true where id = $1`,
      `update skills set is_withheld = false where id = $1`,
      `update search_documents set name = 'planet' where skill_id = $1`,
      `update search_postings set weight = 0 where skill_id <> $1`,
      `update owners set name = 'zoe' where id = (select owner_id from skills where id = $1)`,
      `delete from search_documents where skill_id = $1`,
    ]) {
      await database.query(change, [skillId]);
      const after = await ask(here);
      expect(after, change).toEqual(await ask(startProcess(registry)));
      if (!change.includes('weight')) expect(after, change).not.toEqual(before);
      before = after;
    }
  });

  test('a search that read its rows before a change does not keep them', async (context) => {
    const { registry } = await open(context);
    await insertSkill(registry, { name: 'moon', description: 'Shows phases.' });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached = (): void => {};
    const reading = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let isFirst = true;
    const here = startProcess(registry, async (sql) => {
      if (!isFirst || !sql.includes('from search_postings')) return;
      isFirst = false;
      reached();
      await held;
    });
    const slow = here.names({ q: 'phases' });
    await reading;
    await insertSkill(registry, { name: 'tides', description: 'Explains phases.' });
    const both = ['@acme/moon', '@acme/tides'];
    await here.names({ q: 'something else' });
    release();
    expect(await slow).toEqual(['@acme/moon']);
    expect((await here.names({ q: 'phases' })).toSorted()).toEqual(both);
  });

  test('pruning keeps the latest changes and tells a process that did not see the others', async (context) => {
    const { registry } = await open(context);
    const { database } = registry;
    const { skillId } = await insertSkill(registry, { name: 'moon', description: 'Shows phases.' });
    const [often, seldom] = [startProcess(registry), startProcess(registry)];
    const query = { q: 'phases' };
    expect([await often.names(query), await seldom.names(query)]).toEqual([['@acme/moon'], ['@acme/moon']]);
    await database.query(`update skills set visibility = 'private' where id = $1`, [skillId]);
    await database.query(
      'insert into search_changes (names) select $1::text[] from generate_series(1, 1000)',
      [['nobody']],
    );
    expect(await often.names(query)).toEqual([]);
    await pruneChanges(database);
    const [kept] = await database.query<{ count: number }>('select count(*) as count from search_changes');
    expect(kept).toEqual({ count: 1000 });
    expect(await often.statements(query)).toBe(1);
    expect(await seldom.names(query)).toEqual([]);
    expect(await seldom.statements(query)).toBe(1);
  });

  test('rows that a copy from another server brought along are pruned', async (context) => {
    const { registry } = await open(context);
    const { database } = registry;
    await insertSkill(registry, { name: 'moon', description: 'Shows phases.' });
    const here = startProcess(registry);
    await database.query(`insert into search_changes (xact, names) values ('900000000000', '{moon}')`);
    await database.query(`insert into search_horizon (pruned) values ('900000000000')`);
    expect(await here.names({ q: 'phases' })).toEqual(['@acme/moon']);
    await pruneChanges(database);
    await here.find({ q: 'phases' });
    expect(await here.statements({ q: 'phases' })).toBe(1);
  });
});

test('a transaction that began first and commits last is not missed', async (context) => {
  requirePostgres(context);
  const { registry, data } = await openTestRegistry('postgres');
  const [row] = await registry.database.query<{ name: string }>('select current_database() as name');
  const elsewhere = openPostgres(postgresServer().urlOf(row!.name), { connections: 2 });
  try {
    const first = await insertSkill(registry, { name: 'moon', description: 'Shows phases.' });
    const second = await insertSkill(registry, { name: 'sun', description: 'Shows spots.' });
    const here = startProcess(registry);
    const query = { q: 'shows' };
    const hide = `update skills set visibility = 'private' where id = $1`;
    expect((await here.names(query)).toSorted()).toEqual(['@acme/moon', '@acme/sun']);
    let commit = (): void => {};
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let began = (): void => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const early = elsewhere.transaction(async (tx) => {
      await tx.query(hide, [first.skillId]);
      began();
      await committed;
    });
    await begun;
    await elsewhere.transaction((tx) => tx.query(hide, [second.skillId]));
    expect(await here.names(query)).toEqual(['@acme/moon']);
    await pruneChanges(elsewhere);
    expect(await here.statements(query)).toBe(1);
    commit();
    await early;
    expect(await here.names(query)).toEqual([]);
    expect(await here.statements(query)).toBe(1);
    const order = await registry.database.query<{ skills: number[] }>(
      `select c.skills from search_changes c where c.skills <> '{}' order by c.xact`,
    );
    expect(order.map(({ skills }) => skills)).toEqual([[first.skillId], [second.skillId]]);
  } finally {
    await elsewhere.close();
    await registry.close();
    rmSync(data, { recursive: true, force: true });
  }
});
