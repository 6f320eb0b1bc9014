import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forgetReading, indexKey } from '../src/reading/prepare-version.ts';
import { createReader } from './create-reader.ts';
import { insertSkill, type TestSkill } from './insert-skill.ts';
import { onBothDatabases, type TestRegistry } from './open-test-registry.ts';

const guide: TestSkill = {
  name: 'pdf-forms',
  description: 'Fills forms in PDF files.',
  body: '\n# PDF forms\n\nIntroduction.\n\n## Filling\n\nCall fill() with a mapping of fields.\n\n## Limits\n\nNo signatures.\n',
  files: { 'references/fields.md': '# Fields\n\n## Checkboxes\n\nUse the value Yes.\n' },
};

async function get({ app }: TestRegistry, path: string, headers: Record<string, string> = {}) {
  const response = await app.request(`/api/v1/${path}`, { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function getJson(made: TestRegistry, path: string, headers: Record<string, string> = {}) {
  const { status, text } = await get(made, path, { accept: 'application/json', ...headers });
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

onBothDatabases('reading without installing', (open) => {
  test('outline, show, search, open and sources answer as skc does', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, guide);
    const at = 'read/@acme/pdf-forms';
    expect((await get(made, `${at}/outline`)).text).toBe(
      'SKILL.md\n  # PDF forms\n  ## Filling\n  ## Limits\nreferences/fields.md\n  # Fields\n  ## Checkboxes\n',
    );
    expect((await get(made, `${at}/show?section=Filling`)).text).toBe(
      '## Filling\n\nCall fill() with a mapping of fields.\n\n',
    );
    const { body: shown } = await getJson(made, `${at}/show?section=limits&section=Checkboxes`);
    expect(shown).toMatchObject({
      skill: '@acme/pdf-forms',
      version: '1.0.0',
      sections: [
        { file: 'SKILL.md', section: 'Limits', content: '## Limits\n\nNo signatures.\n' },
        { file: 'references/fields.md', section: 'Checkboxes' },
      ],
    });
    const { body: found } = await getJson(made, `${at}/search?query=mapping%20of%20fields`);
    const [first, ...partial] = found.results as readonly { missing?: readonly string[] }[];
    expect([first]).toMatchObject([
      {
        file: 'SKILL.md',
        section: 'Filling',
        command: 'http://registry.test/api/v1/read/@acme/pdf-forms/show?section=Filling',
      },
    ]);
    // Sections with some of the words follow, and say which they lack.
    expect(partial.map(({ missing }) => missing)).toEqual([['mapping'], ['mapping']]);
    expect((await get(made, `${at}/open?path=references/fields.md&lines=3-3`)).text).toBe('## Checkboxes\n');
    const sources = await getJson(made, `${at}/sources`);
    expect(JSON.stringify(sources.body)).not.toContain(made.data);
    expect((await get(made, `${at}/sources`)).text).toContain('fields.md');
  });

  test('answers of strangers are never pages', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, { ...guide, body: '\n# <script>alert(1)</script>\n' });
    const { headers } = await get(made, 'read/@acme/pdf-forms/outline', { accept: 'text/html' });
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      'text/plain; charset=utf-8',
      'nosniff',
    ]);
  });

  test('failures say what to do', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, guide);
    const at = 'read/@acme/pdf-forms';
    expect(await getJson(made, `${at}/show?section=Filing`)).toEqual({
      status: 404,
      body: {
        error: {
          code: 'not_found',
          message: expect.stringMatching(/^E020: /),
          details: ['Did you mean one of these?', '- Filling (SKILL.md)'],
        },
      },
    });
    const statuses = [];
    for (const path of [
      `${at}/show`,
      `${at}/show?section=Filling&author=true`,
      `${at}/show?section=Filling&nonsense=1`,
      `${at}/open?path=../../../../etc/passwd`,
      `${at}/open?path=/etc/passwd`,
      `${at}/search?query=`,
      `${at}/outline?level=x`,
      'read/@acme/nothing/outline',
      'read/@acme/pdf-forms@9.9.9/outline',
      'read/@acme/pdf-forms@latest/outline',
      'read/acme/pdf-forms/outline',
      'read/@acme/..%2f..%2fetc/outline',
    ])
      statuses.push([path, (await get(made, path)).status]);
    expect(statuses.map(([, status]) => status)).toEqual([
      400, 400, 400, 400, 400, 400, 400, 404, 404, 404, 404, 404,
    ]);
  });

  test('a version can be named, and the latest is the default', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, guide);
    await insertSkill(made.registry, { ...guide, version: '2.0.0', body: '\n# Second\n' });
    expect((await get(made, 'read/@acme/pdf-forms/outline')).text).toContain('# Second');
    const { body } = await getJson(made, 'read/@acme/pdf-forms@1.0.0/show?section=Filling');
    expect(body).toMatchObject({ skill: '@acme/pdf-forms@1.0.0', version: '1.0.0' });
  });

  test('rights and states are checked before every read', async (context) => {
    const made = await open(context);
    const { registry } = made;
    const { ownerId, versionId } = await insertSkill(registry, { ...guide, visibility: 'private' });
    const reader = await createReader(registry, { account: 'rita', ownerId });
    const reviewer = await createReader(registry, { account: 'rob', ownerId, role: 'reviewer' });
    const stranger = await createReader(registry, { account: 'sam', ownerId: await otherOwner(made) });
    const path = 'read/@acme/pdf-forms/outline';
    const missing = (await get(made, 'read/@acme/nothing/outline')).text;
    const all = async () => {
      const answers = [];
      for (const headers of [{}, stranger, reader, reviewer])
        answers.push((await get(made, path, headers)).status);
      return answers;
    };
    const set = (change: string) =>
      registry.database.query(`update versions set ${change} where id = ${versionId}`);
    expect(await all()).toEqual([404, 404, 200, 200]);
    expect((await get(made, path, stranger)).text).toBe(missing);
    await set(`review = 'pending'`);
    expect(await all()).toEqual([404, 404, 404, 200]);
    await set(`review = 'approved', quarantined = 'it steals'`);
    expect(await all()).toEqual([404, 404, 403, 200]);
    await set(`purged = 'it stole'`);
    expect(await all()).toEqual([404, 404, 410, 410]);
  });

  test('a quiz stays closed, and its answers never leave', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, {
      name: 'guarded',
      description: 'Guarded by a quiz.',
      frontmatter:
        'quiz:\n  - gate: true\n    questions:\n      - question: Which colour?\n        options:\n          - label: Vermilion\n            correct: true\n          - label: Cyan\n',
      body: '\n# Secret steps\n\nThe hidden sentence.\n',
    });
    const texts = [];
    for (const path of [
      'outline',
      'show?section=Secret%20steps',
      'search?query=hidden',
      'open?path=SKILL.md',
      'sources',
    ])
      for (const accept of ['text/plain', 'application/json'])
        texts.push((await get(made, `read/@acme/guarded/${path}`, { accept })).text);
    texts.push((await get(made, 'find?q=hidden%20sentence')).text);
    expect(texts.join('\n')).not.toMatch(/Vermilion|Secret steps|hidden sentence\./);
    expect((await get(made, 'read/@acme/guarded/show?section=x')).status).toBe(403);
  });

  test('the index made at publication is used, and a missing or damaged one is made again', async (context) => {
    const made = await open(context);
    const { digest } = await insertSkill(made.registry, guide);
    const path = 'read/@acme/pdf-forms/show?section=Filling';
    const first = await get(made, path);
    const cache = join(made.data, 'cache/versions');
    expect(readdirSync(cache)).toEqual([digest.slice(7)]);
    await made.registry.blobs.remove(indexKey(digest));
    rmSync(join(cache, digest.slice(7)), { recursive: true });
    expect((await get(made, path)).text).toBe(first.text);
    await made.registry.blobs.put(indexKey(digest), Buffer.from('SQLite format 3\0 but not really'));
    rmSync(join(cache, digest.slice(7)), { recursive: true });
    expect((await get(made, path)).text).toBe(first.text);
    await forgetReading(made.registry.database, { blobs: made.registry.blobs, digest });
    expect(await made.registry.blobs.get(indexKey(digest))).toBeUndefined();
    const many = await Promise.all(Array.from({ length: 8 }, () => get(made, path)));
    expect(new Set(many.map(({ text }) => text))).toEqual(new Set([first.text]));
  });

  test('the cache keeps to its size and drops the versions not read for longest', async (context) => {
    const made = await open(context, { readCacheBytes: 1 });
    for (const name of ['one', 'two', 'three']) await insertSkill(made.registry, { ...guide, name });
    const rooms = () => readdirSync(join(made.data, 'cache/versions')).length;
    for (const name of ['one', 'two', 'three']) {
      expect((await get(made, `read/@acme/${name}/outline`)).status).toBe(200);
      made.pass(120_000);
    }
    expect(rooms()).toBe(1);
    expect((await get(made, 'read/@acme/one/outline')).status).toBe(200);
    expect(existsSync(join(made.data, 'cache/home'))).toBe(true);
  });

  test('find lists skills the caller may see', async (context) => {
    const made = await open(context);
    await insertSkill(made.registry, guide);
    await insertSkill(made.registry, { name: 'secret-forms', visibility: 'private', owner: 'zed' });
    expect((await get(made, 'find?q=forms')).text).toBe(
      '@acme/pdf-forms  1.0.0, community\n  Fills forms in PDF files.\n',
    );
    expect((await get(made, 'find?q=')).status).toBe(400);
  });
});

async function otherOwner({ registry }: TestRegistry): Promise<number> {
  const { ownerId } = await insertSkill(registry, { name: 'other', owner: 'zed', visibility: 'private' });
  return ownerId;
}
