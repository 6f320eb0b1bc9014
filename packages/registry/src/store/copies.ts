// Rolling copies of an embedded database, made between two statements.

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDirectory } from './copy-files.ts';
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
