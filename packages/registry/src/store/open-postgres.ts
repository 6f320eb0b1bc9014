// A PostgreSQL server, for a registry of any number of processes.

import pg from 'pg';
import { type Database, type Queryable, retryTransaction, valueParsers } from './database.ts';

const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && valueParsers[id]) || pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig;

/** Opens a pool of connections. */
export function openPostgres(connectionString: string, { connections = 10 } = {}): Database {
  const pool = new pg.Pool({ connectionString, max: connections, types });
  // A connection that breaks while idle is replaced at the next query.
  pool.on('error', () => {});
  const over = (inner: pg.Pool | pg.PoolClient): Queryable => ({
    async query<Row>(sql: string, parameters: readonly unknown[] = []) {
      return (await inner.query(sql, [...parameters])).rows as Row[];
    },
  });
  const transaction = async <Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(over(client));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return {
    kind: 'postgres',
    ...over(pool),
    transaction: (work) => retryTransaction(() => transaction(work)),
    run: (sql) =>
      transaction(async (tx) => {
        await tx.query(sql);
      }),
    close: () => pool.end(),
  };
}
