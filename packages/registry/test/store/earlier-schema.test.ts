import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashSecret, newSecret, newTokenSecret } from '../../src/base/secrets.ts';
import { openRegistry } from '../../src/registry.ts';
import { createApp } from '../../src/server/create-app.ts';
import { Settings } from '../../src/settings/settings.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openMemory } from '../../src/store/open-memory.ts';
import { openPostgres } from '../../src/store/open-postgres.ts';
import { createPostgresDatabase } from '../create-postgres-database.ts';
import { requirePostgres } from '../open-test-registry.ts';

const provenance = {
  kind: 'ci',
  issuer: 'https://gitlab.com',
  subject: 'project_path:acme/skills',
  repository: 'acme/skills',
  repositoryId: '7',
  ownerId: '8',
  commit: 'a'.repeat(40),
  ref: 'refs/heads/main',
  workflow: null,
  run: null,
};

/** Secrets of every kind in the tables that earlier versions had for them. */
async function fill(database: Database) {
  const [token, session, code, device, state] = [newTokenSecret(), ...Array.from({ length: 4 }, newSecret)];
  const made = { token, session: session!, code: code!, device: device!, state: state! };
  const hashes = Object.fromEntries(
    Object.entries(made).map(([name, secret]) => [name, hashSecret(secret)]),
  ) as Record<keyof typeof made, Uint8Array>;
  const query = (sql: string, parameters: readonly unknown[] = []) => database.query(sql, parameters);
  await query(`insert into accounts (name, is_admin) values ('admin', true)`);
  await query(
    `insert into tokens (id, account_id, name, prefix, hash, scopes) values ('t1', 1, 'laptop', 'skwr_abcd', $1, '{read,owner,admin}')`,
    [hashes.token],
  );
  await query(
    `insert into tokens (id, account_id, name, prefix, hash, scopes, skill, provenance, parent, expires_at, revoked_at)
     values ('t2', 1, 'CI of acme/skills', 'skwr_efgh', '\\x02', '{publish}', 'one', $1::jsonb, 't1', now(), now())`,
    [JSON.stringify(provenance)],
  );
  await query(
    `insert into sessions values ('s1', $1, 1, 't1', 'Firefox', now(), now(), now() + interval '1 day')`,
    [hashes.session],
  );
  await query(
    `insert into invitations values ('i1', $1, 'anna', '[]', 1, now(), now() + interval '1 day', null),
       ('i2', '\\x05', 'bert', '[]', 1, now(), now() + interval '1 day', now())`,
    [hashes.code],
  );
  await query(
    `insert into device_logins (device_hash, user_hash, client, scopes, state, account_id, parent, wait_seconds, created_at, expires_at)
     values ($1, '\\x06', 'skc on a laptop', '{read}', 'approved', 1, 't1', 5, now(), now() + interval '5 minutes')`,
    [hashes.device],
  );
  await query(
    `insert into sign_in_attempts values ($1, '\\x07', 'sso', 'nonce', 'verifier', '/back', 'i1', now() + interval '5 minutes')`,
    [hashes.state],
  );
  await query(`insert into used_identity_tokens values ('\\x08', now() + interval '5 minutes')`);
  // One of the triggers that those versions made.
  await query(
    'create function note_skills() returns trigger language plpgsql as $$ begin return null; end $$',
  );
  await query(
    'create trigger note_skills after update on skills for each statement execute function note_skills()',
  );
  return made;
}

describe.each(['embedded', 'postgres'] as const)(
  'a database with the schema before secrets had one table (%s)',
  (kind) => {
    test('keeps every secret, and they go on working', async (context) => {
      if (kind === 'postgres') requirePostgres(context);
      const data = mkdtempSync(join(tmpdir(), 'skw-earlier-'));
      const database =
        kind === 'embedded' ? await openMemory() : openPostgres(await createPostgresDatabase());
      const earlier = migrations.filter(({ name }) => name < '0090');
      await migrate(database, earlier);
      const made = await fill(database);
      const settings = Settings.parse({ data, publicUrl: 'http://registry.test', loginLimit: 0 });
      const registry = await openRegistry(settings, { database });
      try {
        const rows = await database.query(
          `select kind, account_id, scopes, parent, details, ended_at is not null as "isEnded" from secrets order by kind, id`,
        );
        const common = { account_id: null, scopes: null, parent: null, isEnded: false };
        expect(rows).toEqual([
          {
            ...common,
            kind: 'attempt',
            parent: 'i1',
            details: {
              browser: '07',
              provider: 'sso',
              nonce: 'nonce',
              verifier: 'verifier',
              returnTo: '/back',
            },
          },
          {
            ...common,
            kind: 'device',
            account_id: 1,
            scopes: ['read'],
            parent: 't1',
            details: { user: '06', client: 'skc on a laptop', state: 'approved', wait: 5 },
          },
          { ...common, kind: 'identity', details: {} },
          { ...common, kind: 'invitation', account_id: 1, details: { account: 'anna', roles: [] } },
          {
            ...common,
            kind: 'invitation',
            account_id: 1,
            details: { account: 'bert', roles: [] },
            isEnded: true,
          },
          { ...common, kind: 'session', account_id: 1, parent: 't1', details: { agent: 'Firefox' } },
          {
            ...common,
            kind: 'token',
            account_id: 1,
            scopes: ['read', 'owner', 'admin'],
            details: { name: 'laptop', prefix: 'skwr_abcd', skill: null, provenance: null },
          },
          {
            ...common,
            kind: 'token',
            account_id: 1,
            scopes: ['publish'],
            parent: 't1',
            details: { name: 'CI of acme/skills', prefix: 'skwr_efgh', skill: 'one', provenance },
            isEnded: true,
          },
        ]);

        const app = createApp(registry);
        const status = async (path: string, init: RequestInit = {}) => (await app.request(path, init)).status;
        const authorization = `Bearer ${made.token}`;
        const form = new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: made.device,
          client_id: 'skc on a laptop',
        });
        expect({
          token: await status('/api/v1/whoami', { headers: { authorization } }),
          session: await status('/settings', { headers: { cookie: `skillwright-session=${made.session}` } }),
          invitation: await status(`/invite/${made.code}`),
          device: await status('/oauth/token', { method: 'POST', body: form }),
          again: await status('/oauth/token', { method: 'POST', body: form }),
          reads: await status('/api/v1/search?q=x'),
        }).toEqual({ token: 200, session: 200, invitation: 200, device: 200, again: 400, reads: 200 });

        const left = await database.query<{ name: string }>(
          `select tgname::text as name from pg_trigger where tgrelid = 'skills'::regclass and not tgisinternal order by tgname`,
        );
        expect(left.map(({ name }) => name)).toEqual(['note_delete', 'note_update', 'skills_moved']);
      } finally {
        await registry.close();
        rmSync(data, { recursive: true, force: true });
      }
    });
  },
);
