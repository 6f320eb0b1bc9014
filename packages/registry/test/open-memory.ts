// An embedded database in memory and in this thread, for tests.

import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { embeddedValues } from '../src/store/durable-files.ts';
import { type EmbeddedDatabase, embeddedDatabase, engineOver } from '../src/store/embedded-database.ts';

/** Opens a database that is gone when it is closed. Statements have no time limit. */
export async function openMemory(
  options: Pick<PGliteOptions, 'loadDataDir'> = {},
): Promise<EmbeddedDatabase & { readonly postgres: PGlite }> {
  const postgres = await PGlite.create({ ...options, ...embeddedValues });
  return { ...embeddedDatabase(engineOver(postgres), { statementTimeout: 0 }), postgres };
}
