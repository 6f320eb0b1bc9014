// An embedded database in memory and in this thread, for tests.

import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { type EmbeddedDatabase, embeddedDatabase } from '../src/store/embedded-database.ts';
import { embeddedValues } from '../src/store/embedded-values.ts';
import { engineOver } from '../src/store/engine.ts';

/** Opens a database that is gone when it is closed. Statements have no time limit. */
export async function openMemory(
  options: Pick<PGliteOptions, 'loadDataDir'> = {},
): Promise<EmbeddedDatabase & { readonly postgres: PGlite }> {
  const postgres = await PGlite.create({ ...options, ...embeddedValues });
  return { ...embeddedDatabase(engineOver(postgres), { statementTimeout: 0 }), postgres };
}
