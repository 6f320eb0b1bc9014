// The part of a registry that rooms below the registry itself use.

import type { Settings } from '../settings/index.ts';
import type { Blobs } from './blobs.ts';
import type { Database } from './database.ts';

/** Database, archives, settings and clock. */
export interface Store {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly settings: Settings;
  /** The clock of everything that expires. */
  readonly now: () => Date;
}
