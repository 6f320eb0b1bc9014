import { rmSync } from 'node:fs';
import { WORDS_VERSION } from 'skillwright/read';
import type { SearchPage } from 'skillwright/registry-protocol';
import { describe, expect, test } from 'vitest';
import { openRegistry } from '../src/registry.ts';
import { unindexSkill } from '../src/search/index-skill.ts';
import { createApp } from '../src/server/create-app.ts';
import { reindexSkills } from '../src/skills/index.ts';
import { openPostgres } from '../src/store/open-postgres.ts';
import { createReader } from './create-reader.ts';
import { insertSkill } from './insert-skill.ts';
import {
  onBothDatabases,
  openTestRegistry,
  requirePostgres,
  type TestRegistry,
} from './open-test-registry.ts';
import { postgresServer } from './postgres-server.ts';

async function find(
  { app }: TestRegistry,
  query: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<SearchPage> {
  const response = await app.request(`/api/v1/search?${new URLSearchParams(query)}`, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

const namesIn = ({ skills }: SearchPage) => skills.map(({ name }) => name);

onBothDatabases('search', (open) => {
  test('finds an exact name first, then a prefix, then words, at once after the publication', async (context) => {
    const made = await open(context);
    const { registry } = made;
    await insertSkill(registry, { name: 'pdf-forms', description: 'Fills forms in PDF files.' });
    await insertSkill(registry, { name: 'letters', description: 'Writes letters, and prints them as pdf.' });
    await insertSkill(registry, {
      name: 'charts',
      description: 'Draws charts.',
      body: '\n# Export\n\nWrite a pdf.\n',
    });
    expect(namesIn(await find(made, { q: 'pdf' }))).toEqual([
      '@acme/pdf-forms',
      '@acme/letters',
      '@acme/charts',
    ]);
    await insertSkill(registry, { name: 'pdf', owner: 'zed' });
    const page = await find(made, { q: 'PDF' });
    expect(page.skills.map(({ name, reason }) => [name, reason])).toEqual([
      ['@zed/pdf', 'exact_name'],
      ['@acme/pdf-forms', 'prefix'],
      ['@acme/letters', 'text'],
      ['@acme/charts', 'text'],
    ]);
    expect([page.total, page.isTotalExact, page.next]).toEqual([4, true, null]);
    expect(namesIn(await find(made, { q: '@zed/pdf forms' }))).toContain('@acme/pdf-forms');
  });

  test('reads every order of a list from an index, filtered by level too', async (context) => {
    const made = await open(context);
    const { database } = made.registry;
    await insertSkill(made.registry, { name: 'pdf' });
    const asked: (readonly [string, readonly unknown[]])[] = [];
    const { query } = database;
    Object.assign(database, {
      query: (sql: string, parameters: readonly unknown[] = []) => {
        if (sql.includes(' as key from skills s')) asked.push([sql, parameters]);
        return query(sql, parameters);
      },
    });
    for (const sort of ['updated', 'downloads', 'rating', 'name']) await find(made, { sort });
    await find(made, { level: 'official' });
    expect(asked).toHaveLength(5);
    const plans = await database.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      await tx.query('set local enable_sort = off');
      const texts: string[] = [];
      for (const [sql, parameters] of asked) {
        const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, parameters);
        texts.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return texts;
    });
    for (const plan of plans) expect(plan).not.toMatch(/Sort|Seq Scan on skills/);
    expect(plans.at(-1)).toContain('skills_by_level');
  });

  test('finds words in Chinese, Japanese and Korean', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, { name: 'sheets', description: '处理电子表格和数据分析' });
    await insertSkill(made.registry, { name: 'mail', description: 'メールを自動で送信する' });
    await insertSkill(made.registry, { name: 'weather', description: '오늘의 날씨를 알려줍니다' });
    const results = await Promise.all(['电子表格', 'メール', '날씨'].map((q) => find(made, { q })));
    expect(results.map(namesIn)).toEqual([['@acme/sheets'], ['@acme/mail'], ['@acme/weather']]);
  });

  test('forgets words of an earlier version', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, { name: 'tool', description: 'Handles invoices.' });
    await insertSkill(made.registry, { name: 'tool', version: '1.1.0', description: 'Handles receipts.' });
    expect(namesIn(await find(made, { q: 'invoices' }))).toEqual([]);
    expect(namesIn(await find(made, { q: 'receipts' }))).toEqual(['@acme/tool']);
  });

  test('forgets a skill that nobody can read any more, and its words', async (context) => {
    const made = await open(context);
    const { skillId } = await insertSkill(made.registry, { name: 'tool', description: 'Handles invoices.' });
    await made.registry.database.transaction((tx) => unindexSkill(tx, skillId));
    expect((await find(made, { q: 'tool' })).total + (await find(made, {})).total).toBe(0);
    expect(await made.registry.database.query('select count(*) as count from search_postings')).toEqual([
      { count: 0 },
    ]);
  });

  test('renews words that an earlier version of the program indexed', async (context) => {
    const { registry } = await open(context);
    const { skillId } = await insertSkill(registry, { name: 'tool', description: 'Handles invoices.' });
    const stored = () => registry.database.query('select skill_id, words from search_documents');
    expect(await reindexSkills(registry)).toBe(0);
    await registry.database.query('update search_documents set words = 0');
    expect([await reindexSkills(registry), await reindexSkills(registry)]).toEqual([1, 0]);
    expect(await stored()).toEqual([{ skill_id: skillId, words: WORDS_VERSION }]);
  });

  test('shows, counts and ranks only what the caller may see, also after a change of visibility', async (context) => {
    const made = await open(context);
    const { registry } = made;
    const { ownerId, skillId } = await insertSkill(registry, {
      name: 'secret-plans',
      visibility: 'private',
      description: 'Plans for the moon base.',
    });
    await insertSkill(registry, { name: 'moon-phases', owner: 'zed', description: 'Phases of the moon.' });
    const alone = await find(made, { q: 'moon base' });
    const reader = await createReader(registry, { account: 'rita', ownerId });
    const stranger = await createReader(registry, { account: 'sam', ownerId: ownerId + 1 });
    expect([namesIn(alone), alone.total]).toEqual([['@zed/moon-phases'], 1]);
    expect(await find(made, { q: 'moon base' }, stranger)).toEqual(alone);
    expect((await find(made, { q: 'secret-plans' })).total).toBe(0);
    expect((await find(made, {})).total).toBe(1);
    expect(namesIn(await find(made, { q: 'moon base' }, reader))).toEqual([
      '@acme/secret-plans',
      '@zed/moon-phases',
    ]);
    expect((await find(made, {}, reader)).total).toBe(2);
    await registry.database.query(`update skills set visibility = 'public' where id = $1`, [skillId]);
    expect((await find(made, { q: 'moon base' })).total).toBe(2);
    await registry.database.query(`update skills set visibility = 'private' where id = $1`, [skillId]);
    expect(await find(made, { q: 'moon base' })).toEqual(alone);
  });

  test('a skill that waits for its first approval stays out of search when it becomes public', async (context) => {
    const made = await open(context);
    const { registry } = made;
    const { skillId } = await insertSkill(registry, { name: 'moon-base', visibility: 'private' });
    await registry.database.query('update skills set is_withheld = true where id = $1', [skillId]);
    await registry.database.query(`update skills set visibility = 'public' where id = $1`, [skillId]);
    expect([(await find(made, { q: 'moon' })).total, (await find(made, {})).total]).toEqual([0, 0]);
    await registry.database.query('update skills set is_withheld = false where id = $1', [skillId]);
    expect(namesIn(await find(made, { q: 'moon' }))).toEqual(['@acme/moon-base']);
  });

  test('the values of filters come from skills the caller may see', async (context) => {
    const made = await open(context);
    const { ownerId } = await insertSkill(made.registry, {
      name: 'plans',
      visibility: 'private',
      tags: ['hidden-tag'],
      category: 'hidden-category',
    });
    await insertSkill(made.registry, { name: 'phases', owner: 'zed', tags: ['open-tag'] });
    const reader = await createReader(made.registry, { account: 'rita', ownerId });
    const page = async (headers: Record<string, string> = {}) =>
      (await made.app.request('/search', { headers })).text();
    const shown = (text: string) =>
      ['hidden-tag', 'hidden-category', '@acme', 'open-tag'].map((value) => text.includes(value));
    expect(shown(await page())).toEqual([false, false, false, true]);
    expect(shown(await page(reader))).toEqual([true, true, true, true]);
    expect(shown(await page())).toEqual([false, false, false, true]);
  });

  test('filters and sorts', async (context) => {
    const made = await open(context);
    const { registry } = made;
    await insertSkill(registry, { name: 'a-tool', tags: ['office'], category: 'documents', downloads: 5 });
    await insertSkill(registry, { name: 'b-tool', tags: ['office', 'pdf'], level: 'official', downloads: 9 });
    await insertSkill(registry, { name: 'c-tool', owner: 'zed', downloads: 1 });
    const names = async (query: Record<string, string>) => namesIn(await find(made, query));
    expect(await names({ tag: 'office', sort: 'name' })).toEqual(['@acme/a-tool', '@acme/b-tool']);
    expect(await names({ category: 'documents' })).toEqual(['@acme/a-tool']);
    expect(await names({ level: 'official' })).toEqual(['@acme/b-tool']);
    expect(await names({ owner: 'zed' })).toEqual(['@zed/c-tool']);
    expect(await names({ sort: 'downloads' })).toEqual(['@acme/b-tool', '@acme/a-tool', '@zed/c-tool']);
    expect(await names({ sort: 'rating' })).toHaveLength(3);
    expect(await names({ q: 'tool', tag: 'pdf' })).toEqual(['@acme/b-tool']);
    expect(await names({ q: 'tool', sort: 'downloads' })).toEqual([
      '@acme/b-tool',
      '@acme/a-tool',
      '@zed/c-tool',
    ]);
    expect(await names({ q: 'about', owner: 'nobody' })).toEqual([]);
  });

  for (const query of [
    { q: 'tool for everything' },
    { sort: 'name' },
    { sort: 'updated' },
    { q: 'tool', sort: 'downloads' },
  ])
    test(`pages through ${JSON.stringify(query)} without doubles or gaps while skills are published`, async (context) => {
      const made = await open(context);
      for (let number = 0; number < 7; number++)
        await insertSkill(made.registry, {
          name: `tool-${number}`,
          description: `A tool, number ${number}.`,
        });
      const expected = namesIn(await find(made, { ...query, limit: '100' }));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: SearchPage = await find(made, {
          ...query,
          limit: '2',
          ...(cursor === null ? {} : { cursor }),
        });
        seen.push(...namesIn(page));
        cursor = page.next;
        await insertSkill(made.registry, {
          name: `zz-${seen.length}`,
          description: 'A tool for everything.',
        });
      } while (cursor !== null && seen.length < 40);
      expect(seen.filter((name) => expected.includes(name))).toEqual(expected);
      expect(new Set(seen).size).toBe(seen.length);
    });

  test('refuses forged cursors and oversized queries', async (context) => {
    const made = await open(context);
    for (let number = 0; number < 4; number++) await insertSkill(made.registry, { name: `tool-${number}` });
    const { next } = await find(made, { q: 'about', limit: '1' });
    const listed = (await find(made, { limit: '1' })).next!;
    const [digest] = JSON.parse(Buffer.from(listed, 'base64url').toString()) as [string];
    const forged = Buffer.from(JSON.stringify([digest, { key: 'soon', id: 1 }])).toString('base64url');
    const statuses = await Promise.all(
      [
        { q: 'other', cursor: next! },
        { q: 'about', cursor: 'x' },
        { q: 'about', cursor: Buffer.from('[1,2]').toString('base64url') },
        { limit: '1', cursor: forged },
        { q: 'x'.repeat(501) },
        { q: 'about', limit: '1000' },
        { q: 'about', sort: 'luck' },
        { tag: 'a\0b' },
      ].map(async (query) => (await made.app.request(`/api/v1/search?${new URLSearchParams(query)}`)).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400]);
    const words = Array.from({ length: 120 }, (_, number) => `a${number}`).join(' ');
    expect((await find(made, { q: words.slice(0, 500) })).total).toBe(0);
    expect((await find(made, { q: `%_'";--` })).total).toBe(0);
  });
});

describe('search in several processes', () => {
  test('finds at once what another process published, changed or hid', async (context) => {
    requirePostgres(context);
    const made = await openTestRegistry('postgres');
    const [row] = await made.registry.database.query<{ name: string }>('select current_database() as name');
    const other = await openRegistry(made.registry.settings, {
      database: openPostgres(postgresServer().urlOf(row!.name)),
    });
    const elsewhere = { ...made, registry: other, app: createApp(other) };
    try {
      const first = { name: 'tool', description: 'Handles invoices.' };
      expect((await find(elsewhere, { q: 'invoices' })).total).toBe(0);
      const { skillId } = await insertSkill(made.registry, first);
      expect(namesIn(await find(elsewhere, { q: 'invoices' }))).toEqual(['@acme/tool']);
      await insertSkill(made.registry, { ...first, version: '1.1.0', description: 'Handles receipts.' });
      const found = await find(elsewhere, { q: 'receipts' });
      expect(found.skills.map(({ description }) => description)).toEqual(['Handles receipts.']);
      expect((await find(elsewhere, { q: 'invoices' })).total).toBe(0);
      await made.registry.database.query(`update skills set visibility = 'private' where id = $1`, [skillId]);
      expect((await find(elsewhere, { q: 'receipts' })).total).toBe(0);
      await insertSkill(other, { name: 'letters', description: 'Prints receipts.' });
      expect(namesIn(await find(made, { q: 'receipts' }))).toEqual(['@acme/letters']);
    } finally {
      await other.close();
      await made.registry.close();
      rmSync(made.data, { recursive: true, force: true });
    }
  });
});
