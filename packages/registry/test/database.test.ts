import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';

onBothDatabases('an empty registry', (open) => {
  test('is ready, and its first administrator exists once', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const ready = await app.request('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { ok: true }]);
    expect(adminToken).toMatch(/^skwr_/);
    const rows = await registry.database.query(
      'select name, is_admin, created_at > now() as later from accounts',
    );
    expect(rows).toEqual([{ name: 'admin', is_admin: true, later: false }]);
  });

  test('reads values in the same way', async (context) => {
    const { registry } = await open(context);
    const [row] = await registry.database.query(
      `select $1::bigint as count, $2::bytea as bytes, $3::jsonb as value, $4::text[] as list, '2026-01-02'::date as day,
        '2026-01-02T03:04:05Z'::timestamptz as at, 1.5::real as real, 2.5::numeric as exact`,
      [2 ** 40, Uint8Array.of(1, 2), JSON.stringify({ a: [1] }), ['x', 'y']],
    );
    expect({ ...row!, bytes: [...(row as { bytes: Uint8Array }).bytes] }).toEqual({
      count: 2 ** 40,
      bytes: [1, 2],
      value: { a: [1] },
      list: ['x', 'y'],
      day: '2026-01-02',
      at: new Date('2026-01-02T03:04:05Z'),
      real: 1.5,
      exact: 2.5,
    });
  });
});
