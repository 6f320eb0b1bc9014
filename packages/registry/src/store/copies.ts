// Rolling copies of an embedded database, made between two statements.

import { constants, existsSync } from 'node:fs';
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EmbeddedDatabase } from './embedded-database.ts';

/** Makes a copy and removes all but the newest `keep`. Returns its path. */
export async function makeCopy(
  database: EmbeddedDatabase,
  { data, keep, now }: { readonly data: string; readonly keep: number; readonly now: Date },
): Promise<string> {
  const directory = join(data, 'copies');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, now.toISOString().replaceAll(':', '-'));
  await copyDatabase(database, { data, to: path });
  const names = (await readdir(directory)).toSorted();
  const finished = names.filter((name) => !name.endsWith('.new'));
  const old = [...finished.slice(0, -keep), ...names.filter((name) => name.endsWith('.new'))];
  for (const name of old) await rm(join(directory, name), { recursive: true, force: true });
  return path;
}

/** Copies the database as it is now to a directory that does not exist. */
export async function copyDatabase(
  database: EmbeddedDatabase,
  { data, to }: { readonly data: string; readonly to: string },
): Promise<void> {
  await database.pause(async (engine) => {
    await engine.run('checkpoint', 0);
    await copyDirectory(join(data, 'database'), to);
  });
}

/** The copies of a data directory, newest first. */
export async function listCopies(data: string): Promise<string[]> {
  const directory = join(data, 'copies');
  if (!existsSync(directory)) return [];
  const names = (await readdir(directory)).filter((name) => !name.endsWith('.new'));
  return names
    .toSorted()
    .toReversed()
    .map((name) => join(directory, name));
}

/** Copies a directory; the name appears when everything is on the disk. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  const fresh = `${to}.new`;
  await rm(fresh, { recursive: true, force: true });
  await cp(from, fresh, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await settleDirectory(fresh, to);
}

/** Writes a finished directory through to the disk and gives it its name. */
export async function settleDirectory(fresh: string, name: string): Promise<void> {
  await syncTree(fresh);
  await rename(fresh, name);
  await syncFile(dirname(name));
}

async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }))
    await (entry.isDirectory() ? syncTree : syncFile)(join(directory, entry.name));
  await syncFile(directory);
}

/** Asks the disk to keep a file, or the names in a directory. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
