import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBackup, restoreBackup } from '../backup/index.ts';
import { openRegistry } from '../registry.ts';
import type { Command } from './command.ts';

/** Into the embedded database of `--data`, or into the PostgreSQL of DATABASE_URL. */
export const restore: Command = {
  name: 'restore',
  usage: '<file.tar>',
  words: [1, 1],
  summary: 'Restore a backup into an empty database of either kind',
  async run({ settings, words, out }) {
    const file = words[0]!;
    const manifest = await checkBackup(file);
    const { tables, blobs, createdAt } = manifest;
    await orLeaveNothing(settings.data, async () => {
      const registry = await openRegistry(settings, { isMigrated: false });
      try {
        await restoreBackup(registry, { file, manifest });
      } finally {
        await registry.close();
      }
    });
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    out(`restored the backup of ${createdAt}: ${rows} rows, ${blobs} archives and indexes`);
    return 0;
  },
};

/** A restore that fails removes what it made in a directory that was empty or not there. */
async function orLeaveNothing(data: string, work: () => Promise<void>): Promise<void> {
  const existed = existsSync(data);
  const before = existed ? await readdir(data).catch(() => undefined) : [];
  try {
    await work();
  } catch (error) {
    if (!existed) await rm(data, { recursive: true, force: true });
    else if (before?.length === 0)
      for (const name of await readdir(data)) await rm(join(data, name), { recursive: true, force: true });
    throw error;
  }
}
