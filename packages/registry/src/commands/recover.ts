import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finishRestore, recoveryNote } from '../backup/index.ts';
import { Problem } from '../base/index.ts';
import { openRegistry } from '../registry.ts';
import { copyDirectory, listCopies, lockData } from '../store/index.ts';
import type { Command } from './command.ts';

/** For an embedded database that does not open. */
export const recover: Command = {
  name: 'recover',
  summary: 'Go back to a copy of the embedded database; the damaged one is kept',
  flags: { copy: { type: 'string', help: 'Directory of the copy; by default the newest' } },
  async run({ settings, flags, out }) {
    const { data } = settings;
    const copy = typeof flags.copy === 'string' ? flags.copy : (await listCopies(data))[0];
    if (copy === undefined || !existsSync(join(copy, 'PG_VERSION')))
      throw new Problem(`there is no copy in ${join(data, 'copies')}. Restore a backup: restore <file.tar>`);
    const aside = join(data, `database.${new Date().toISOString().replaceAll(':', '-')}`);
    const lock = lockData(data);
    try {
      await writeFile(recoveryNote(data), copy);
      if (existsSync(join(data, 'database'))) await rename(join(data, 'database'), aside);
      await copyDirectory(copy, join(data, 'database'));
    } finally {
      lock.release();
    }
    const registry = await openRegistry(settings);
    try {
      await finishRestore(registry);
    } finally {
      await registry.close();
    }
    out(
      `went back to ${copy}. The old database is in ${aside}; everything changed since the copy is only there.`,
    );
    return 0;
  },
};
