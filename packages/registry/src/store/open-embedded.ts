// PostgreSQL inside this process, for a registry of one process.

import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { type Database, type Queryable, retryTransaction, valueParsers } from './database.ts';

/** Opens an embedded database; without a directory it lives in memory. */
export async function openEmbedded(
  directory: string | undefined,
  options: Pick<PGliteOptions, 'loadDataDir'> = {},
): Promise<Database & { readonly engine: PGlite }> {
  const engine = await PGlite.create({
    ...options,
    ...(directory === undefined ? {} : { dataDir: directory }),
    parsers: valueParsers,
  });
  const over = (inner: Pick<PGlite, 'query'>): Queryable => ({
    async query<Row>(sql: string, parameters: readonly unknown[] = []) {
      return (await inner.query<Row>(sql, [...parameters])).rows;
    },
  });
  return {
    kind: 'embedded',
    engine,
    ...over(engine),
    transaction: (work) =>
      retryTransaction(() => engine.transaction((tx) => work(over(tx as unknown as PGlite)))),
    run: async (sql) => {
      await engine.transaction((tx) => tx.exec(sql));
    },
    close: () => engine.close(),
  };
}
