import { createHash } from 'node:crypto';
import { checkProof, decodeEntries, parseLeaf } from 'skillwright/transparency-log';
import { expect, test } from 'vitest';
import { readLog } from './log-world.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, readers } from './skill-world.ts';

const PROOF = 'GET /api/v1/skills/@acme/demo/1.0.0/proof';

onBothDatabases('publications in the log', (open) => {
  test('a proof leads from the bytes a client downloads to the signed checkpoint', async (context) => {
    const world = await openSkillWorld(open, context);
    expect((await world.publish('@acme/demo@1.0.0')).status).toBe(201);
    const { key } = await readLog(world.app);
    const document = await world.ask('reader', 'GET /api/v1/skills/@acme/demo/1.0.0');
    const bytes = Buffer.from(await document.arrayBuffer());
    const { archive } = JSON.parse(bytes.toString()) as { archive: { digest: string } };
    const proof = await (await world.ask('reader', PROOF)).text();
    expect(checkProof(proof, { key }).entry).toEqual({
      kind: 'version',
      name: '@acme/demo',
      version: '1.0.0',
      document: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
      archive: archive.digest,
    });
  });

  test('a private skill is proved to its readers alone; everybody else gets the answer for a missing one', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/demo@1.0.0');
    const statuses = async (request: string) =>
      Object.fromEntries(
        await Promise.all(readers.map(async (reader) => [reader, (await world.ask(reader, request)).status])),
      );
    const expected = {
      anonymous: 404,
      stranger: 404,
      reader: 200,
      publisher: 200,
      reviewer: 200,
      admin: 200,
      elsewhere: 404,
      root: 200,
    };
    expect(await statuses(PROOF)).toEqual(expected);
    expect(await statuses('GET /api/v1/skills/@acme/demo/log')).toEqual(expected);
    const hidden = await world.ask('stranger', PROOF);
    const missing = await world.ask('stranger', PROOF.replace('demo', 'none'));
    const shape = async (answer: Response) => [
      await answer.text(),
      ...['content-type', 'cache-control', 'etag'].map((name) => answer.headers.get(name)),
    ];
    expect(await shape(hidden)).toEqual(await shape(missing));
  });

  test('changes of a version are entries too, and nothing of a private one is in the public tiles', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/demo@1.0.0');
    const path = '/api/v1/skills/@acme/demo/1.0.0';
    expect((await world.call('publisher', `PATCH ${path}`, { yanked: 'broken' })).status).toBe(200);
    expect((await world.call('publisher', `PATCH ${path}`, { yanked: null })).status).toBe(200);
    const { value } = await world.call('reader', 'GET /api/v1/skills/@acme/demo/log');
    expect(
      value.entries.map(
        ({ entry }: { entry: { kind: string; change?: string } }) => entry.change ?? entry.kind,
      ),
    ).toEqual(['version', 'yanked', 'unyanked']);
    const { checkpoint, bytes } = await readLog(world.app);
    const { size } = await checkpoint();
    const leaves = decodeEntries(await bytes(`/log/tile/entries/000.p/${size}`), size);
    expect(leaves.map(parseLeaf)).toEqual(leaves.map(() => undefined));
    expect(Buffer.concat(leaves).toString()).not.toMatch(/acme|demo|broken/);
  });

  test('a skill that becomes public gets a public leaf for each of its versions, however many', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/demo@1.0.0');
    const { database } = world.registry;
    await database.query(
      `insert into versions (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, scan, published_by)
       select skill_id, '0.' || number || '.0', archive_digest, archive_size, document, document_digest, manifest, scan, published_by
       from versions, generate_series(1, 250) as number`,
    );
    await world.call('admin', 'PATCH skills/@acme/demo', { visibility: 'public' });
    const [logged] = await database.query<{ count: number }>(
      `select count(distinct version_id) as count from log_leaves where kind = 'version' and salt is null`,
    );
    expect(logged!.count).toBe(251);
  });

  test('a version of a public skill has one leaf, which everybody can read', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/demo@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/demo', { visibility: 'public' });
    await world.publish('@acme/demo@1.1.0');
    const { checkpoint, bytes } = await readLog(world.app);
    const { size } = await checkpoint();
    const leaves = decodeEntries(await bytes(`/log/tile/entries/000.p/${size}`), size).map(parseLeaf);
    expect(leaves.map((entry) => (entry?.kind === 'version' ? entry.version : null))).toEqual([
      null,
      '1.0.0',
      '1.1.0',
    ]);
  });

  test('a version under review is a commitment, and gets a public leaf once it is approved', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/demo@0.9.0');
    await world.call('admin', 'PATCH skills/@acme/demo', { visibility: 'public' });
    world.registry.settings.review = 'all';
    await world.publish('@acme/demo@1.0.0');
    await world.publish('@acme/demo@1.1.0');
    const review = (version: string, decision: string) =>
      world.call('reviewer', `POST skills/@acme/demo/${version}/review`, { decision, reason: 'read it' });
    await review('1.1.0', 'reject');
    const named = async () => {
      const { key, checkpoint, bytes } = await readLog(world.app);
      const { size } = await checkpoint();
      const leaves = decodeEntries(await bytes(`/log/tile/entries/000.p/${size}`), size).map(parseLeaf);
      return {
        key,
        shown: leaves.map((leaf) => (leaf !== undefined && 'version' in leaf ? leaf.version : null)),
      };
    };
    expect((await named()).shown).toEqual([null, '0.9.0', null, null, null]);
    expect((await world.ask('anonymous', PROOF)).status).toBe(404);
    await review('1.0.0', 'approve');
    const { key, shown } = await named();
    // The state, then the version itself.
    expect(shown).toEqual([null, '0.9.0', null, null, null, '1.0.0', '1.0.0']);
    const proof = await (await world.ask('anonymous', PROOF)).text();
    expect(checkProof(proof, { key })).toMatchObject({
      entry: { kind: 'version', version: '1.0.0' },
      index: 6,
      isPrivate: false,
    });
  });

  test('a refused publication leaves no leaf', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/demo@1.0.0');
    const { checkpoint } = await readLog(world.app);
    const before = await checkpoint();
    const other = {
      files: { 'SKILL.md': '---\nname: demo\ndescription: Other.\nversion: 1.0.0\n---\n\nOther.\n' },
    };
    expect((await world.publish('@acme/demo@1.0.0', other)).status).not.toBe(201);
    expect((await world.publish('@acme/demo@2.0.0', { by: 'reader' })).status).toBe(403);
    expect(await checkpoint()).toEqual(before);
  });
});
