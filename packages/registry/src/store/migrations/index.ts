// All migrations in order. A released one never changes.

import { accounts } from './0010-accounts.ts';
import { skills } from './0020-skills.ts';

/** One step of the schema. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [accounts, skills];
