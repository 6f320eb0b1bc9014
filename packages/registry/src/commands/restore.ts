import { restoreBackup } from '../backup/restore-backup.ts';
import { openRegistry } from '../registry.ts';
import type { Command } from './command.ts';

/** Into the embedded database of `--data`, or into the PostgreSQL of DATABASE_URL. */
export const restore: Command = {
  name: 'restore',
  usage: '<file.tar>',
  words: [1, 1],
  summary: 'Restore a backup into an empty database of either kind',
  async run({ settings, words, out }) {
    const registry = await openRegistry(settings, { isMigrated: false });
    try {
      const { tables, blobs, createdAt } = await restoreBackup(registry, words[0]!);
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      out(`restored the backup of ${createdAt}: ${rows} rows, ${blobs} archives and indexes`);
      return 0;
    } finally {
      await registry.close();
    }
  },
};
