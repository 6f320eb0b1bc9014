import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { anonymous, type Caller } from '../src/access/caller.ts';
import { admitPublication } from '../src/skills/admit-publication.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, packedSkill, type Reader, type SkillWorld } from './skill-world.ts';

type Somebody = 'publisher' | 'reviewer' | 'admin' | 'root';

const VERSION = 'skills/@acme/alpha/1.0.0';

interface Decision {
  decide(world: SkillWorld, by: Somebody, skill: string): Promise<{ status: number; value: { id?: string } }>;
  undo(world: SkillWorld, by: Somebody, skill: string, made: { id?: string }): Promise<{ status: number }>;
}

/** Everything that is decided about a skill and can be undone. */
const decisions: Readonly<Record<string, Decision>> = {
  quarantine: {
    decide: (world, by, skill) => world.call(by, `POST ${skill}/1.0.0/quarantine`, { quarantined: 'odd' }),
    undo: (world, by, skill) => world.call(by, `POST ${skill}/1.0.0/quarantine`, { quarantined: null }),
  },
  'another reason for a quarantine': {
    decide: (world, by, skill) => world.call(by, `POST ${skill}/1.0.0/quarantine`, { quarantined: 'odd' }),
    undo: (world, by, skill) =>
      world.call(by, `POST ${skill}/1.0.0/quarantine`, { quarantined: 'not so odd' }),
  },
  rejection: {
    decide: (world, by, skill) =>
      world.call(by, `POST ${skill}/1.0.0/review`, { decision: 'reject', reason: 'odd' }),
    undo: (world, by, skill) =>
      world.call(by, `POST ${skill}/1.0.0/review`, { decision: 'approve', reason: 'fine' }),
  },
  yank: {
    decide: (world, by, skill) => world.call(by, `PATCH ${skill}/1.0.0`, { yanked: 'odd' }),
    undo: (world, by, skill) => world.call(by, `PATCH ${skill}/1.0.0`, { yanked: null }),
  },
  deprecation: {
    decide: (world, by, skill) => world.call(by, `PATCH ${skill}`, { deprecated: 'odd' }),
    undo: (world, by, skill) => world.call(by, `PATCH ${skill}`, { deprecated: null }),
  },
  'hiding a public skill': {
    async decide(world, by, skill) {
      await world.call('publisher', `PATCH ${skill}`, { visibility: 'public' });
      return world.call(by, `PATCH ${skill}`, { visibility: 'private' });
    },
    undo: (world, by, skill) => world.call(by, `PATCH ${skill}`, { visibility: 'public' }),
  },
  advisory: {
    decide: (world, by, skill) =>
      world.call(by, `POST ${skill}/advisories`, {
        severity: 'high',
        summary: 'odd',
        affected: '*',
        url: null,
      }),
    undo: (world, by, skill, { id }) => world.call(by, `DELETE ${skill}/advisories/${id}`),
  },
};

/** One skill for each pair of authorities; no two of these names look alike. */
const names = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'kilo'];

/** A role that may make the decision in the namespace, next to its admin. */
const roleFor = (decision: string) =>
  ['yank', 'deprecation', 'hiding a public skill'].includes(decision) ? 'publisher' : 'reviewer';

onBothDatabases('who undoes a decision', (open) => {
  for (const [name, { decide, undo }] of Object.entries(decisions))
    test(`${name}: each authority undoes its own alone`, async (context) => {
      const role = roleFor(name);
      const outcomes: [decided: string, undone: string, allowed: boolean][] = [];
      const world = await openSkillWorld(open, context, name === 'rejection' ? { review: 'all' } : {});
      // Nobody reviews what they published themselves.
      const publisher = role === 'publisher' ? 'admin' : 'publisher';
      const left = [...names];
      for (const decided of [role, 'admin', 'root'] as const)
        for (const undone of [role, 'admin', 'root'] as const) {
          const own = left.shift()!;
          expect((await world.publish(`@acme/${own}@1.0.0`, { by: publisher })).status).toBe(201);
          const skill = `skills/@acme/${own}`;
          const made = await decide(world, decided, skill);
          expect([decided, made.status < 300]).toEqual([decided, true]);
          const { status } = await undo(world, undone, skill, made.value);
          expect([200, 204, 403]).toContain(status);
          outcomes.push([decided, undone, status !== 403]);
        }
      expect(outcomes).toEqual([
        [role, role, true],
        [role, 'admin', true],
        // The registry may make a quarantine its own.
        [role, 'root', name === 'another reason for a quarantine'],
        ['admin', role, true],
        ['admin', 'admin', true],
        ['admin', 'root', name === 'another reason for a quarantine'],
        ['root', role, false],
        ['root', 'admin', false],
        ['root', 'root', true],
      ]);
    });

  test('a decision of the namespace after one of the registry was undone is its own again', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const hold = (by: Somebody, quarantined: string | null) =>
      world.call(by, `POST ${VERSION}/quarantine`, { quarantined });
    const statuses = [];
    for (const [by, reason] of [
      ['root', 'odd'],
      ['reviewer', null],
      ['root', null],
      ['reviewer', 'odd'],
      ['admin', null],
    ] as const)
      statuses.push((await hold(by, reason)).status);
    expect(statuses).toEqual([200, 403, 200, 200, 200]);
  });

  test('a moderator is not an administrator, and decides for the registry', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const moderate = (isModerator: boolean) =>
      world.call('root', 'PATCH admin/accounts/stranger', { isModerator });
    const hold = (by: Reader, quarantined: string | null) =>
      world.call(by, `POST ${VERSION}/quarantine`, { quarantined });
    expect((await hold('stranger', 'odd')).status).toBe(404);
    expect((await moderate(true)).value).toMatchObject({ isModerator: true, isAdmin: false });
    expect((await hold('stranger', 'odd')).status).toBe(200);
    expect((await hold('reviewer', null)).status).toBe(403);
    expect((await world.call('stranger', 'GET reports')).status).toBe(200);
    // Nothing of the administration, and nothing that people of the namespace do.
    for (const [request, body] of [
      ['GET admin/accounts', undefined],
      ['PATCH admin/accounts/stranger', { isAdmin: true }],
      [`PATCH ${VERSION}`, { yanked: 'odd' }],
      [`POST ${VERSION}/purge`, { purged: 'odd' }],
      ['PUT owners/@acme/members/stranger', { roles: ['admin'] }],
    ] as const)
      expect([request, (await world.call('stranger', request, body)).status]).toEqual([request, 403]);
    await moderate(false);
    expect((await hold('stranger', null)).status).toBe(404);
    expect((await hold('root', null)).status).toBe(200);
  });

  test('a namespace does not learn who reported its skill', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'public' });
    const report = { kind: 'spam', message: 'odd' };
    expect((await world.call('stranger', 'POST skills/@acme/alpha/reports', report)).status).toBe(201);
    const { value } = await world.call('admin', 'GET admin/audit?owner=acme');
    expect(JSON.stringify(value)).not.toContain('stranger');
    const all = await world.call('root', 'GET admin/audit?action=report');
    expect(all.value.entries).toMatchObject([{ account: 'stranger', owner: 'acme', skill: 'alpha' }]);
  });

  for (const way of ['purge', 'quarantine'] as const)
    test(`files do not come back under another owner after a ${way}`, async (context) => {
      const world = await openSkillWorld(open, context);
      await world.publish('@acme/alpha@1.0.0');
      const body = way === 'purge' ? { purged: 'odd' } : { quarantined: 'odd' };
      expect((await world.call('root', `POST ${VERSION}/${way}`, body)).status).toBe(200);
      await world.registry.database.query(
        `insert into roles (owner_id, account_id, role)
         select o.id, a.id, 'publisher' from owners o, accounts a where o.name = 'other' and a.name = 'stranger'`,
      );
      const state = way === 'purge' ? 'purged' : 'quarantined';
      const refusal = `a version with these files was ${state}; they cannot be published again`;
      const publish = (archive: Uint8Array) =>
        world.publish('@other/alpha@1.0.0', { by: 'stranger', archive });
      const archive = packedSkill({ name: 'alpha', version: '1.0.0' });
      // The same files in another archive are the same files.
      for (const bytes of [archive, new Uint8Array(gzipSync(gunzipSync(archive), { level: 1 }))]) {
        const { status, value } = await publish(bytes);
        expect([status, value.error.message]).toEqual([403, refusal]);
      }
      if (way === 'purge') return;
      expect((await world.call('root', `POST ${VERSION}/quarantine`, { quarantined: null })).status).toBe(
        200,
      );
      expect((await publish(archive)).status).toBe(201);
    });

  test('nobody reviews what a CI run they may have started published', async (context) => {
    const world = await openSkillWorld(open, context, { review: 'all' });
    const { database } = world.registry;
    const review = async (by: Reader, version: string) =>
      (
        await world.call(by, `POST skills/@acme/alpha/${version}/review`, {
          decision: 'approve',
          reason: 'fine',
        })
      ).status;
    const started = async (version: string, name: string | null) => {
      await world.publish(`@acme/alpha@${version}`, { by: 'publisher' });
      await database.query(
        `update versions set provenance = '{"kind": "ci"}', started_by = (select id from accounts where name = $2)
         where version = $1`,
        [version, name],
      );
    };
    await started('1.0.0', null);
    expect([await review('publisher', '1.0.0'), await review('admin', '1.0.0')]).toEqual([403, 403]);
    expect(await review('reviewer', '1.0.0')).toBe(200);
    await started('1.1.0', 'admin-of-acme');
    expect(await review('admin', '1.1.0')).toBe(403);
    expect(await review('root', '1.1.0')).toBe(200);
    await started('1.2.0', 'reviewer');
    expect(await review('reviewer', '1.2.0')).toBe(403);
    expect(await review('admin', '1.2.0')).toBe(200);
  });

  test('where provenance is required, neither people nor mirrors nor imports publish', async (context) => {
    const { registry } = await openSkillWorld(open, context, { requireProvenance: true });
    const account = { id: 1, name: 'admin', isAdmin: true };
    const system: Caller = { ...anonymous, via: 'system', account };
    const mirror = { kind: 'mirror', repository: 'x' } as never;
    const publication = { owner: 'acme', name: 'alpha', version: '1.0.0', digest: 'sha256:x' };
    for (const caller of [system, { ...system, provenance: mirror }])
      await expect(admitPublication(registry, caller, publication)).rejects.toMatchObject({
        code: 'forbidden',
        message: 'versions of this skill must come from a trusted publisher in CI',
      });
    const ci = { ...system, provenance: { kind: 'ci' } as never };
    expect(await admitPublication(registry, ci, publication)).toEqual({ ownerId: expect.any(Number) });
  });
});
