import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, type SkillWorld } from './skill-world.ts';

type Somebody = 'publisher' | 'reviewer' | 'admin' | 'root';

const VERSION = 'skills/@acme/alpha/1.0.0';

interface Decision {
  decide(world: SkillWorld, by: Somebody): Promise<{ status: number; value: { id?: string } }>;
  undo(world: SkillWorld, by: Somebody, made: { id?: string }): Promise<{ status: number }>;
}

/** Everything that is decided about a skill and can be undone. */
const decisions: Readonly<Record<string, Decision>> = {
  quarantine: {
    decide: (world, by) => world.call(by, `POST ${VERSION}/quarantine`, { quarantined: 'odd' }),
    undo: (world, by) => world.call(by, `POST ${VERSION}/quarantine`, { quarantined: null }),
  },
  'another reason for a quarantine': {
    decide: (world, by) => world.call(by, `POST ${VERSION}/quarantine`, { quarantined: 'odd' }),
    undo: (world, by) => world.call(by, `POST ${VERSION}/quarantine`, { quarantined: 'not so odd' }),
  },
  rejection: {
    decide: (world, by) => world.call(by, `POST ${VERSION}/review`, { decision: 'reject', reason: 'odd' }),
    undo: (world, by) => world.call(by, `POST ${VERSION}/review`, { decision: 'approve', reason: 'fine' }),
  },
  yank: {
    decide: (world, by) => world.call(by, `PATCH ${VERSION}`, { yanked: 'odd' }),
    undo: (world, by) => world.call(by, `PATCH ${VERSION}`, { yanked: null }),
  },
  advisory: {
    decide: (world, by) =>
      world.call(by, 'POST skills/@acme/alpha/advisories', {
        severity: 'high',
        summary: 'odd',
        affected: '*',
        url: null,
      }),
    undo: (world, by, { id }) => world.call(by, `DELETE skills/@acme/alpha/advisories/${id}`),
  },
};

/** A role that may make the decision in the namespace, next to its admin. */
const roleFor = (decision: string) => (decision === 'yank' ? 'publisher' : 'reviewer');

onBothDatabases('who undoes a decision', (open) => {
  for (const [name, { decide, undo }] of Object.entries(decisions))
    test(`${name}: the registry undoes everything, a namespace only its own`, async (context) => {
      const role = roleFor(name);
      const outcomes: [decided: string, undone: string, allowed: boolean][] = [];
      for (const decided of [role, 'admin', 'root'] as const)
        for (const undone of [role, 'admin', 'root'] as const) {
          const world = await openSkillWorld(open, context, name === 'rejection' ? { review: 'all' } : {});
          // Nobody reviews what they published themselves.
          const by = name === 'yank' ? 'admin' : 'publisher';
          expect((await world.publish('@acme/alpha@1.0.0', { by })).status).toBe(201);
          const made = await decide(world, decided);
          expect([decided, made.status < 300]).toEqual([decided, true]);
          const { status } = await undo(world, undone, made.value);
          expect([200, 204, 403]).toContain(status);
          outcomes.push([decided, undone, status !== 403]);
        }
      expect(outcomes).toEqual([
        [role, role, true],
        [role, 'admin', true],
        [role, 'root', true],
        ['admin', role, true],
        ['admin', 'admin', true],
        ['admin', 'root', true],
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
});
