// Every state of a version, for every kind of reader.

import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, type Reader, readers, type SkillWorld } from './skill-world.ts';

type Visibility = 'private' | 'public';

/** States, and how a version gets there from a published or pending one. */
const states: Record<string, (world: SkillWorld, version: string) => Promise<unknown>> = {
  published: async () => {},
  yanked: (world, at) => world.call('publisher', `PATCH ${at}`, { yanked: 'wrong file' }),
  quarantined: (world, at) =>
    world.call('reviewer', `POST ${at}/quarantine`, { quarantined: 'under investigation' }),
  purged: (world, at) => world.call('root', `POST ${at}/purge`, { purged: 'a secret was in it' }),
  pending: async () => {},
  rejected: (world, at) =>
    world.call('reviewer', `POST ${at}/review`, { decision: 'reject', reason: 'unclear' }),
};

/** Who sees the skill, and who sees versions that are not published. */
const members: readonly Reader[] = ['reader', 'publisher', 'reviewer', 'admin', 'root'];
const previewers: readonly Reader[] = ['publisher', 'reviewer', 'admin', 'root'];

const answers: Record<string, { answer: string; codes: string[]; archive: number }> = {
  published: { answer: 'yes', codes: [], archive: 200 },
  yanked: { answer: 'exact', codes: ['yanked'], archive: 200 },
  quarantined: { answer: 'no', codes: ['quarantined'], archive: 403 },
  purged: { answer: 'no', codes: ['purged'], archive: 410 },
  pending: { answer: 'no', codes: ['pending'], archive: 200 },
  rejected: { answer: 'no', codes: ['rejected'], archive: 200 },
};

onBothDatabases('who sees a version', (open) => {
  for (const visibility of ['private', 'public'] as const)
    test(`of a ${visibility} skill, in every state`, async (context) => {
      const world = await openSkillWorld(open, context);
      await world.publish('@acme/alpha@1.0.0');
      if (visibility === 'public') await world.call('admin', 'PATCH skills/@acme/alpha', { visibility });
      const expected: Record<string, unknown> = {};
      const found: Record<string, unknown> = {};
      for (const [at, [state, reach]] of Object.entries(states).entries()) {
        const version = `2.0.${at}`;
        const isUnderReview = state === 'pending' || state === 'rejected';
        world.registry.settings.review = isUnderReview ? 'all' : 'off';
        const { value } = await world.publish(`@acme/alpha@${version}`);
        await reach(world, `skills/@acme/alpha/${version}`);
        for (const reader of readers) {
          found[`${state} ${reader}`] = await look(world, reader, { version, digest: value.archive });
          expected[`${state} ${reader}`] = expectedOf({ state, reader, visibility, isUnderReview });
        }
      }
      expect(found).toEqual(expected);
    });

  test('keeps private and pending things out of tags, counts and times', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'public' });
    const head = async (reader: Reader, headers = {}) => {
      const response = await world.ask(reader, 'GET skills/@acme/alpha', { headers });
      return {
        status: response.status,
        tag: response.headers.get('etag'),
        cache: response.headers.get('cache-control'),
        vary: response.headers.get('vary'),
        text: await response.text(),
      };
    };
    const before = await head('anonymous');
    expect([before.cache, before.vary]).toEqual(['public, no-cache', 'authorization, cookie']);
    world.registry.settings.review = 'all';
    world.pass(60_000);
    await world.publish('@acme/alpha@9.0.0');
    const after = await head('anonymous');
    expect(after).toEqual(before);
    const inside = await head('publisher');
    expect([inside.cache, inside.tag === before.tag, JSON.parse(inside.text).versions.length]).toEqual([
      'private, no-cache',
      false,
      2,
    ]);
    // A tag of one view never confirms another.
    expect((await head('anonymous', { 'if-none-match': inside.tag })).status).toBe(200);
    expect((await head('publisher', { 'if-none-match': inside.tag })).status).toBe(304);
    expect((await head('anonymous', { 'if-none-match': `"x", W/${before.tag}` })).status).toBe(304);
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'private' });
    const hidden = await head('anonymous', { 'if-none-match': before.tag });
    const missing = await world.ask('anonymous', 'GET skills/@acme/no-such-skill');
    expect([hidden.status, hidden.tag, hidden.text]).toEqual([404, null, await missing.text()]);
  });

  test('answers every question about a private skill as if it did not exist', async (context) => {
    const world = await openSkillWorld(open, context);
    const { value } = await world.publish('@acme/alpha@1.0.0');
    const requests: [string, unknown?][] = [
      ['GET skills/@acme/NAME'],
      ['GET skills/@acme/NAME/1.0.0'],
      ['GET skills/@acme/NAME/1.0.0/scans'],
      ['PATCH skills/@acme/NAME', { visibility: 'public' }],
      ['PATCH skills/@acme/NAME/1.0.0', { yanked: 'x' }],
      ['PUT skills/@acme/NAME/rating', { stars: 1 }],
      ['DELETE skills/@acme/NAME/rating'],
      ['POST skills/@acme/NAME/reports', { kind: 'spam', message: 'x' }],
      ['POST skills/@acme/NAME/1.0.0/quarantine', { quarantined: 'x' }],
      ['POST skills/@acme/NAME/1.0.0/purge', { purged: 'x' }],
      ['POST skills/@acme/NAME/1.0.0/rescan'],
      ['POST skills/@acme/NAME/1.0.0/review', { decision: 'approve', reason: 'x' }],
      ['POST skills/@acme/NAME/advisories', { severity: 'low', summary: 'x', affected: '*', url: null }],
      ['DELETE skills/@acme/NAME/advisories/SKA-2026-0001'],
      ['PUT skills/@acme/NAME/level', { level: 'official' }],
    ];
    for (const reader of ['anonymous', 'stranger', 'elsewhere'] as const)
      for (const [request, body] of requests) {
        const real = await world.call(reader, request.replace('NAME', 'alpha'), body);
        const absent = await world.call(reader, request.replace('NAME', 'absent'), body);
        expect([reader, request, real]).toEqual([reader, request, absent]);
        expect([401, 404]).toContain(real.status);
      }
    const archive = await world.call('stranger', `GET archives/${value.archive}`);
    expect(archive).toEqual(await world.call('stranger', `GET archives/sha256:${'0'.repeat(64)}`));
    const [row] = await world.registry.database.query(
      'select visibility, level, latest, rating_count as ratings from skills',
    );
    expect(row).toEqual({ visibility: 'private', level: 'community', latest: '1.0.0', ratings: 0 });
  });
});

async function look(
  world: SkillWorld,
  reader: Reader,
  { version, digest }: { version: string; digest: string },
): Promise<unknown> {
  const index = await world.call(reader, 'GET skills/@acme/alpha');
  const listed = index.value.versions?.find((one: { version: string }) => one.version === version);
  const { value } = await world.call(reader, 'POST states', {
    installed: [{ name: '@acme/alpha', version }],
  });
  const archive = await world.ask(reader, `GET archives/${digest}`);
  return {
    index: index.status,
    listed: listed === undefined ? null : shorten(listed.installable),
    document: (await world.ask(reader, `GET skills/@acme/alpha/${version}`)).status,
    archive: archive.status,
    isShared: /^public/.test(archive.headers.get('cache-control') ?? ''),
    state: [value.states[0].known, shorten(value.states[0].installable)],
  };
}

function shorten(installable: { answer: string; reasons: { code: string }[] } | null) {
  return installable === null ? null : [installable.answer, installable.reasons.map(({ code }) => code)];
}

function expectedOf({
  state,
  reader,
  visibility,
  isUnderReview,
}: {
  state: string;
  reader: Reader;
  visibility: Visibility;
  isUnderReview: boolean;
}): unknown {
  const seesSkill = visibility === 'public' || members.includes(reader);
  const seesVersion = seesSkill && (!isUnderReview || previewers.includes(reader));
  const { answer, codes, archive } = answers[state]!;
  const shown = seesVersion ? [answer, codes] : null;
  return {
    index: seesSkill ? 200 : 404,
    listed: shown,
    document: seesVersion ? 200 : 404,
    archive: seesVersion ? archive : 404,
    isShared: seesVersion && visibility === 'public' && answer !== 'no',
    state: [seesVersion, shown],
  };
}
