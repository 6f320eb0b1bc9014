// Embedded PostgreSQL on disk, for a registry of one process.

import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listCopies } from './copies.ts';
import { settleDirectory } from './copy-files.ts';
import { lockData } from './data-lock.ts';
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
    if (!existsSync(directory)) await createDatabase(directory);
    const database = embeddedDatabase(await startOrAdvise(directory, data), { statementTimeout });
    return {
      ...database,
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
    throw new Error(`the database in ${directory} does not open: ${reason.message}. ${advice}`, {
      cause: error,
    });
  }
}
