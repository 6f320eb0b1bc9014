import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { appliedMigrations, migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { openPostgres } from '../../src/store/open-postgres.ts';
import { createPostgresDatabase } from '../create-postgres-database.ts';
import { onBothDatabases, requirePostgres } from '../open-test-registry.ts';

onBothDatabases('migrations', (open) => {
  test('a failed migration leaves nothing', async (context) => {
    const { registry } = await open(context);
    const broken = {
      name: '9999-broken',
      statements: ['create table left_over (id int)', 'alter table nowhere add column a int'],
    };
    await expect(migrate(registry.database, [...migrations, broken])).rejects.toMatchObject({
      code: '42P01',
    });
    expect(await appliedMigrations(registry.database)).toEqual(migrations.map(({ name }) => name));
    await expect(registry.database.query('select * from left_over')).rejects.toMatchObject({ code: '42P01' });
    expect(await migrate(registry.database)).toEqual([]);
  });

  test('a database of a newer program is refused, and not changed', async (context) => {
    const { registry } = await open(context);
    await registry.database.query(`insert into migrations (name) values ('9998-future')`);
    await expect(migrate(registry.database)).rejects.toThrow(
      'the database is newer than this program: it has 9998-future. Start the version that made it, or a later one.',
    );
  });
});

test('two processes that start at once migrate once', async (context) => {
  requirePostgres(context);
  const url = await createPostgresDatabase();
  const program = fileURLToPath(new URL('migrate-once.ts', import.meta.url));
  const start = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [program, url], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (part) => {
        text += part;
      });
      child.on('close', () => resolve(text.trim()));
    });
  const lines = await Promise.all([start(), start(), start()]);
  const names = migrations.map(({ name }) => name).join(' ');
  expect(lines.toSorted()).toEqual(['', '', names].toSorted());
  const database = openPostgres(url);
  expect(await appliedMigrations(database)).toEqual(migrations.map(({ name }) => name));
  await database.close();
});
