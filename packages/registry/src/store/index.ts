// The database and the archives, embedded or on a server.

export type { Blobs } from './blobs.ts';
export { databaseBlobs } from './blobs.ts';
export { copyDirectory, listCopies, makeCopy, syncFile } from './copies.ts';
export { DirectoryInUse, lockData, readHolder } from './data-lock.ts';
export {
  type Database,
  DatabaseUnavailable,
  databaseCode,
  json,
  type Queryable,
  queryMessages,
} from './database.ts';
export type { EmbeddedDatabase } from './embedded-database.ts';
export { fileBlobs } from './file-blobs.ts';
export { appliedMigrations, applyMigrations, migrate } from './migrate.ts';
export { migrations } from './migrations/index.ts';
export { type ReadReplica, watchReplica } from './read-replica.ts';
export { readObjectStore, s3Blobs } from './s3-blobs.ts';
export type { Store } from './store.ts';
