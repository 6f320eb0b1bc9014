// Data directories for tests: making a database takes seconds, copying an empty one does not.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { migrate } from '../src/store/migrate.ts';
import { openEmbedded } from '../src/store/open-embedded.ts';

const templates = new Map<string, Promise<string>>();
const made: string[] = [];

// Workers are ended without the event `exit`.
afterAll(() => {
  templates.clear();
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** Fills a directory with an embedded database that has no rows, and by default no tables. */
export async function copyEmptyData(to: string, { isMigrated = false } = {}): Promise<void> {
  const key = isMigrated ? 'migrated' : 'new';
  const template = templates.get(key) ?? makeTemplate(isMigrated);
  templates.set(key, template);
  cpSync(await template, to, { recursive: true });
}

async function makeTemplate(isMigrated: boolean): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'skw-template-'));
  made.push(directory);
  if (isMigrated) await copyEmptyData(directory);
  const database = await openEmbedded(directory);
  if (isMigrated) await migrate(database);
  await database.close();
  return directory;
}
