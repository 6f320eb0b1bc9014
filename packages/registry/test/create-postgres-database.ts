// Databases on the tests' PostgreSQL.

import { randomUUID } from 'node:crypto';
import { openPostgres } from '../src/store/open-postgres.ts';
import { type PostgresServer, postgresServer } from './postgres-server.ts';

/** Makes an empty database, or a copy of another one. Returns its connection string. */
export async function createPostgresDatabase({
  template,
  server = postgresServer(),
}: {
  readonly template?: string;
  readonly server?: PostgresServer;
} = {}): Promise<string> {
  const name = `registry_${randomUUID().replaceAll('-', '')}`;
  const root = openPostgres(server.urlOf('postgres'), { connections: 1 });
  await root.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  await root.close();
  return server.urlOf(name);
}
