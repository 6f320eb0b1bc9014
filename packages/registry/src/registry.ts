// A registry: its database, blobs, settings, and what a process remembers of them, in one value that every operation takes.

import { join } from 'node:path';
import type { OpenedCheckpoint } from 'skillwright/transparency-log';
import type { Buckets } from './access/index.ts';
import { Problem } from './base/index.ts';
import { createDownloadCounter, flushDownloads, type SkillBatch, type SkillFacts } from './catalog/index.ts';
import type { Identities } from './identity/index.ts';
import { closeDesk, type VersionDesk } from './reading/index.ts';
import { createSearchState } from './search/index.ts';
import type { Settings } from './settings/index.ts';
import {
  type Blobs,
  type Database,
  databaseBlobs,
  fileBlobs,
  migrate,
  type ReadReplica,
  readObjectStore,
  type Store,
  s3Blobs,
  watchReplica,
} from './store/index.ts';

/** An open registry. */
export interface Registry extends Store, Memory {
  /** Address people and clients use, without a slash at the end. */
  publicUrl: string;
  /** Set when the process takes no more requests. */
  isStopping: boolean;
  /** The streaming replica for reads, if there is one. */
  readonly replica: ReadReplica | undefined;
  /** The same registry for reads that may be a second old: it asks the replica. Without one it is this registry. */
  readonly lagging: Registry;
  /** Told when the log has to start a new origin while the process runs. */
  onNewOrigin?: (change: { readonly replaced: string; readonly origin: string }) => void;
  close(): Promise<void>;
}

/** Memory of the process about a registry. */
type Memory = ReturnType<typeof createMemory>;

/** The memory of a process that starts. */
export function createMemory({ searchMemoryBytes }: Settings) {
  return {
    /** Requests of callers, as far as they count against a limit. */
    buckets: new Map() as Buckets,
    skillBatch: { asked: [], isRunning: false } as SkillBatch,
    /** Skills with their versions, by id; those of an older revision are read again. */
    skillFacts: new Map<number, SkillFacts>(),
    downloads: createDownloadCounter(),
    search: createSearchState(searchMemoryBytes),
    versions: { opened: undefined, unpacking: new Map() } as VersionDesk,
    identities: { providers: new Map(), issuers: new Map(), unreachable: new Map() } as Identities,
    /** Deliveries to webhooks that this process has taken. */
    delivering: 0,
    /** The newest checkpoint of the log that this process signed or served. */
    newestCheckpoint: undefined as Pick<OpenedCheckpoint, 'origin' | 'size' | 'root' | 'note'> | undefined,
  };
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
  const blobs = openBlobs(database, settings);
  const replica = await openReplica(database, settings);
  const registry: Registry = {
    database,
    replica,
    get lagging() {
      return lagging;
    },
    blobs,
    settings,
    now,
    publicUrl: settings.publicUrl?.replace(/\/$/, '') ?? `http://${settings.host}:${settings.port}`,
    isStopping: false,
    ...createMemory(settings),
    async close() {
      try {
        await flushDownloads(registry);
        closeDesk(registry);
      } finally {
        await replica?.close();
        await database.close();
      }
    },
  };
  const { search, skillBatch, skillFacts } = createMemory(settings);
  // Everything but what was read from the database is that of the registry itself, also what changes later.
  const lagging: Registry =
    replica === undefined
      ? registry
      : Object.assign(Object.create(registry) as Registry, {
          database: replica.database,
          search,
          skillBatch,
          skillFacts,
        });
  return registry;
}

/** The store of archives that the settings name; by default rows of a server, or files next to an embedded database. */
export function openBlobs(
  database: Database,
  { blobs, data, blobsEndpoint: endpoint, blobsRegion: region, blobsPathStyle: isPathStyle }: Settings,
): Blobs {
  if (blobs?.startsWith('s3:')) return s3Blobs(readObjectStore(blobs, { endpoint, region, isPathStyle }));
  const place = blobs ?? (database.kind === 'postgres' ? 'database' : 'files');
  return place === 'database' ? databaseBlobs(database) : fileBlobs(join(data, 'blobs'));
}

async function openReplica(
  database: Database,
  { databaseReadUrl, databaseConnections: connections, statementSeconds }: Settings,
): Promise<ReadReplica | undefined> {
  if (databaseReadUrl === undefined) return undefined;
  if (database.kind === 'embedded')
    throw new Problem('DATABASE_READ_URL is a replica of a PostgreSQL server: set DATABASE_URL too');
  const { openPostgres } = await import('./store/open-postgres.ts');
  const statementTimeout = statementSeconds * 1000;
  const replica = watchReplica(
    database,
    openPostgres(databaseReadUrl, { statementTimeout, connections, connectTimeout: 2000 }),
  );
  await replica.look();
  return replica;
}

/** Only the driver that is used is loaded. */
async function openDatabase({
  data,
  databaseUrl,
  databaseConnections: connections,
  statementSeconds,
}: Settings): Promise<Database> {
  const statementTimeout = statementSeconds * 1000;
  if (databaseUrl === undefined) {
    const { openEmbedded } = await import('./store/open-embedded.ts');
    return openEmbedded(data, { statementTimeout });
  }
  const { openPostgres } = await import('./store/open-postgres.ts');
  return openPostgres(databaseUrl, { statementTimeout, connections });
}
