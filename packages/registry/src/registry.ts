// A registry: its database, blobs and settings in one value that every operation takes.

import { join } from 'node:path';
import { flushDownloads } from './downloads/count-download.ts';
import { closeDesk } from './read/version-desk.ts';
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
  /** Set when the process takes no more requests. */
  isStopping: boolean;
  /** Runs the work before the database is closed: for batches not yet written. */
  atClose(work: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Opens the database, brings its schema up to date. */
export async function openRegistry(
  settings: Settings,
  {
    database: given,
    now = () => new Date(),
    isMigrated = true,
  }: {
    readonly database?: Database;
    readonly now?: () => Date;
    /** False leaves the schema as it is: for restoring. */
    readonly isMigrated?: boolean;
  } = {},
): Promise<Registry> {
  const database = given ?? (await openDatabase(settings));
  try {
    if (isMigrated) await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const last: (() => Promise<void>)[] = [];
  const registry: Registry = {
    database,
    blobs: database.kind === 'postgres' ? databaseBlobs(database) : fileBlobs(join(settings.data, 'blobs')),
    settings,
    now,
    publicUrl: settings.publicUrl?.replace(/\/$/, '') ?? `http://${settings.host}:${settings.port}`,
    isStopping: false,
    atClose: (work) => {
      last.push(work);
    },
    async close() {
      try {
        for (const work of last.splice(0).toReversed()) await work();
      } finally {
        await database.close();
      }
    },
  };
  registry.atClose(async () => closeDesk(registry));
  registry.atClose(() => flushDownloads(registry));
  return registry;
}

async function openDatabase(settings: Settings): Promise<Database> {
  const statementTimeout = settings.statementSeconds * 1000;
  return settings.databaseUrl === undefined
    ? openEmbedded(settings.data, { statementTimeout })
    : openPostgres(settings.databaseUrl, { statementTimeout, connections: settings.databaseConnections });
}
