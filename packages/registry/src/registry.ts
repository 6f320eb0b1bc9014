// A registry: its database, blobs and settings in one value that every operation takes.

import { join } from 'node:path';
import type { Settings } from './settings/settings.ts';
import type { Blobs } from './store/blobs.ts';
import type { Database } from './store/database.ts';
import { databaseBlobs } from './store/database-blobs.ts';
import { fileBlobs } from './store/file-blobs.ts';
import { migrate } from './store/migrate.ts';
import { openEmbedded } from './store/open-embedded.ts';
import { openPostgres } from './store/open-postgres.ts';

/** An open registry. */
export interface Registry {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly settings: Settings;
  /** The clock of everything that expires. */
  readonly now: () => Date;
  /** Address people and clients use, without a slash at the end. */
  publicUrl: string;
  close(): Promise<void>;
}

/** Opens the database, brings its schema up to date. */
export async function openRegistry(
  settings: Settings,
  {
    database: given,
    now = () => new Date(),
  }: { readonly database?: Database; readonly now?: () => Date } = {},
): Promise<Registry> {
  const database =
    given ??
    (settings.databaseUrl === undefined
      ? await openEmbedded(join(settings.data, 'database'))
      : openPostgres(settings.databaseUrl));
  await migrate(database);
  return {
    database,
    blobs: database.kind === 'postgres' ? databaseBlobs(database) : fileBlobs(join(settings.data, 'blobs')),
    settings,
    now,
    publicUrl: settings.publicUrl?.replace(/\/$/, '') ?? `http://${settings.host}:${settings.port}`,
    close: () => database.close(),
  };
}
