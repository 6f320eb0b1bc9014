// Data directories for tests: making a database takes seconds, copying an empty one does not.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/store/migrate.ts';
import { openEmbedded } from '../src/store/open-embedded.ts';

const templates = new Map<string, Promise<string>>();

/** Fills a directory with an embedded database that has no rows, and by default no tables. */
export async function copyEmptyData(to: string, { isMigrated = false } = {}): Promise<void> {
  const key = isMigrated ? 'migrated' : 'new';
  const template = templates.get(key) ?? makeTemplate(isMigrated);
  templates.set(key, template);
  cpSync(await template, to, { recursive: true });
}

async function makeTemplate(isMigrated: boolean): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'skw-template-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  if (isMigrated) await copyEmptyData(directory);
  const database = await openEmbedded(directory);
  if (isMigrated) await migrate(database);
  await database.close();
  return directory;
}
