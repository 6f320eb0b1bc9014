// A hidden name and an unknown one cost the same, so that nobody can tell them apart with a clock.

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { createMemory, type Registry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import type { Database, Queryable } from '../src/store/database.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addOwner, openSkillWorld } from './skill-world.ts';

onBothDatabases('private and unknown names', (open) => {
  test('every route runs the same statements for both, and answers the same', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/hidden@1.0.0');
    await world.publish('@acme/hidden@1.1.0');
    // Public, and waiting for its first review.
    await world.publish('@acme/waiting@1.0.0');
    await world.registry.database.query(
      `update skills set visibility = 'public', is_withheld = true where name = 'waiting'`,
    );
    await addOwner(world.registry, 'quiet');
    const statements: Statement[] = [];
    const registry = recorded(world.registry, statements);
    const app = createApp(registry);
    const ask = async (method: string, path: string, token: string | undefined) => {
      statements.length = 0;
      const response = await app.request(path, {
        method,
        headers: {
          accept: 'text/html',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
      });
      const text = (await response.text()).replaceAll(/absent|hidden|waiting|nobody|quiet/g, 'name');
      // Reading a skill does not even load the row of one that is hidden.
      const isRead = method === 'GET' && path.includes('@acme/');
      const ran = statements.map(({ sql, rows }) => (isRead ? `${rows} rows: ${sql}` : sql));
      return { status: response.status, text, statements: ran };
    };
    const routes = new Set(app.routes.map(({ method, path }) => `${method} ${path}`));
    let compared = 0;
    const different: unknown[] = [];
    for (const route of routes) {
      const [method = '', pattern = ''] = route.split(' ');
      const isSkill = /:(?:name|wanted)\b/.test(pattern);
      // A name that is taken cannot be taken again: creating an owner reveals it, and nothing else.
      const creates = method === 'PUT' && pattern.endsWith('/owners/:owner{@[^/]+}');
      if (method === 'ALL' || creates || !pattern.includes(':owner')) continue;
      const unreal = isSkill ? 'absent' : 'nobody';
      const real = isSkill ? (method === 'GET' ? ['hidden', 'waiting'] : ['hidden']) : ['quiet'];
      for (const who of ['anonymous', 'stranger'] as const) {
        const token = who === 'anonymous' ? undefined : world.tokens[who];
        const missing = await ask(method, pathOf(pattern, { name: unreal, isSkill }), token);
        for (const name of real) {
          const exists = await ask(method, pathOf(pattern, { name, isSkill }), token);
          compared++;
          if (!isDeepStrictEqual(exists, missing)) different.push({ who, route, exists, missing });
        }
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  });
});

interface Statement {
  readonly sql: string;
  readonly rows: number;
}

/** A path of a route: of a skill of @acme, or of an owner. */
function pathOf(pattern: string, { name, isSkill }: { name: string; isSkill: boolean }): string {
  const values: Record<string, string> = {
    owner: isSkill ? '@acme' : `@${name}`,
    name,
    wanted: name,
    version: '1.0.0',
    path: 'SKILL.md',
    file: `${name}.tar.gz`,
  };
  return pattern.replaceAll(
    /:([a-z]+)(?:\{(?:[^{}]|\{[^}]*\})*\})?/gi,
    (_, part: string) => values[part] ?? 'x',
  );
}

/** The registry, with its statements written down. */
function recorded(registry: Registry, statements: Statement[]): Registry {
  const listen = <Part extends Queryable>(part: Part): Part => ({
    ...part,
    query: async <Row>(sql: string, parameters?: readonly unknown[]) => {
      const rows = await part.query<Row>(sql, parameters);
      // Written at most once in a while, whatever is asked.
      if (!sql.startsWith('update secrets set used_at')) statements.push({ sql, rows: rows.length });
      return rows;
    },
  });
  const database: Database = {
    ...listen(registry.database),
    transaction: (work, options) =>
      registry.database.transaction((tx) => {
        statements.push({ sql: 'begin', rows: 0 });
        return work(listen(tx));
      }, options),
  };
  return { ...registry, ...createMemory(registry.settings), database };
}
