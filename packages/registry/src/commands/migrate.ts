import { openRegistry } from '../registry.ts';
import { migrate } from '../store/index.ts';
import type { Command } from './command.ts';

/** A server does the same when it starts. */
export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database to the schema of this version; serve does so too',
  async run({ settings, out }) {
    const registry = await openRegistry(settings, { isMigrated: false });
    try {
      const names = await migrate(registry.database);
      out(names.length === 0 ? 'the schema is up to date' : names.join('\n'));
      return 0;
    } finally {
      await registry.close();
    }
  },
};
