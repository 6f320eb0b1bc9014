// Embedded PostgreSQL on disk, for a registry of one process.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { copyDatabase, listCopies } from './copies.ts';
import { settleDirectory } from './copy-files.ts';
import { lockData } from './data-lock.ts';
import type { Queryable } from './database.ts';
import { type EmbeddedDatabase, embeddedDatabase } from './embedded-database.ts';
import { startThreadedEngine } from './threaded-engine.ts';

/** Opens the database of a data directory, and makes it when there is none. Nobody else can open it meanwhile. */
export async function openEmbedded(
  data: string,
  { statementTimeout = 30_000 }: { readonly statementTimeout?: number } = {},
): Promise<EmbeddedDatabase> {
  const lock = lockData(data);
  try {
    const directory = join(data, 'database');
    await removeOldSnapshots(data);
    if (!existsSync(directory)) await createDatabase(directory);
    const database = embeddedDatabase(await startOrAdvise(directory, data), { statementTimeout });
    return {
      ...database,
      snapshot: (work) => readCopy(database, { data, work }),
      async close() {
        try {
          await database.close();
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Only copying the files holds up others; the copy is read afterwards. */
async function readCopy<Result>(
  database: EmbeddedDatabase,
  { data, work }: { readonly data: string; readonly work: (tx: Queryable) => Promise<Result> },
): Promise<Result> {
  const directory = join(data, `${SNAPSHOT}${randomUUID()}`);
  try {
    await copyDatabase(database, { data, to: directory });
    const copy = embeddedDatabase(await startThreadedEngine(directory), { statementTimeout: 0 });
    try {
      return await copy.snapshot(work);
    } finally {
      await copy.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const SNAPSHOT = 'snapshot-';

/** Removes copies whose reader was killed. */
async function removeOldSnapshots(data: string): Promise<void> {
  for (const name of await readdir(data))
    if (name.startsWith(SNAPSHOT)) await rm(join(data, name), { recursive: true, force: true });
}

/** Makes an empty database under another name first: a directory with the right name is complete. */
async function createDatabase(directory: string): Promise<void> {
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  // PostgreSQL's files are readable for everyone; the directory around them is not.
  await mkdir(fresh, { mode: 0o700 });
  const engine = await startThreadedEngine(fresh);
  await engine.close();
  await settleDirectory(fresh, directory);
}

async function startOrAdvise(directory: string, data: string) {
  try {
    return await startThreadedEngine(directory);
  } catch (error) {
    const [newest] = await listCopies(data);
    const advice =
      newest === undefined
        ? 'There is no copy of it. Restore a backup into another directory: restore <file> --data <directory>'
        : `Its newest copy is ${newest}. To go back to it: recover --data ${data}`;
    const reason = (error as { cause?: Error }).cause ?? (error as Error);
    throw new Problem(`the database in ${directory} does not open: ${reason.message}. ${advice}`, {
      cause: error,
    });
  }
}
