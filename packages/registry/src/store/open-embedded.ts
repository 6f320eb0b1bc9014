// Embedded PostgreSQL on disk, for a registry of one process.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from 'skillwright/base';
import { Problem } from '../base/index.ts';
import { copyDatabase, listCopies, settleDirectory } from './copies.ts';
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
  try {
    // PostgreSQL's files are readable for everyone; the directory around them is not.
    await mkdir(fresh, { mode: 0o700 });
    const engine = await startThreadedEngine(fresh);
    await engine.close();
    await settleDirectory(fresh, directory);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw new Problem(
      `cannot make a database in ${directory}: ${reasonOf(error)}. It needs about ${NEW_MEGABYTES} MB; use another directory: --data <directory>`,
      { cause: error },
    );
  }
}

/** Space of an empty database. */
const NEW_MEGABYTES = 50;

function reasonOf(error: unknown): string {
  return describeSystemError((error as { cause?: Error }).cause ?? error);
}

/** Major version of the engine. */
const ENGINE_VERSION = 18;

async function startOrAdvise(directory: string, data: string) {
  try {
    return await startThreadedEngine(directory);
  } catch (error) {
    const made = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
    if (/^\d+$/.test(made) && Number(made) !== ENGINE_VERSION)
      throw new Problem(
        `the database in ${directory} was made by PostgreSQL ${made}, and this program has ${ENGINE_VERSION}. ${
          Number(made) > ENGINE_VERSION
            ? 'Start the version of this program that made it, or a later one.'
            : 'Make a backup with the version of this program that made it, and restore that into another directory: restore <file> --data <directory>'
        }`,
        { cause: error },
      );
    const [newest] = await listCopies(data);
    const advice =
      newest === undefined
        ? 'There is no copy of it. Restore a backup into another directory: restore <file> --data <directory>'
        : `Its newest copy is ${newest}. To go back to it: recover --data ${data}`;
    throw new Problem(`the database in ${directory} does not open: ${reasonOf(error)}. ${advice}`, {
      cause: error,
    });
  }
}
