// All migrations in order. A released one never changes.

import { schema } from './0001-schema.ts';

/** One step of the schema. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [schema];
