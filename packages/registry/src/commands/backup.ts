import { existsSync } from 'node:fs';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from 'skillwright/base';
import { checkBackup, finishRestore, recoveryNote, restoreBackup } from '../backup/index.ts';
import { Problem } from '../base/index.ts';
import { openRegistry } from '../registry.ts';
import { copyDirectory, listCopies, lockData, syncFile } from '../store/index.ts';
import type { Command } from './command.ts';
import { doWork } from './control.ts';

/** Also while the server runs. */
export const backup: Command = {
  name: 'backup',
  usage: '--output <file.tar>',
  summary: 'Write everything into one file; the server may run meanwhile',
  flags: { output: { type: 'string', help: 'File to write; it must not exist' } },
  async run({ settings, flags, out }) {
    const { output } = flags;
    if (typeof output !== 'string') throw new Problem('name the file: backup --output <file.tar>');
    const fresh = `${output}.new`;
    const file = await open(output, 'wx', 0o600).catch((error: unknown) => {
      throw new Problem(
        `cannot write ${output}: ${describeSystemError(error)}. Name a new file: backup --output <file.tar>`,
      );
    });
    await file.close();
    try {
      const target = await open(fresh, 'w', 0o600);
      try {
        await doWork(settings, {
          name: 'backup',
          input: {},
          write: async (bytes) => void (await target.write(bytes)),
        });
      } finally {
        await target.close();
      }
      const { tables, blobs } = await checkBackup(fresh);
      await syncFile(fresh);
      await rename(fresh, output);
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      out(`${output}: ${rows} rows, ${blobs} archives and indexes`);
      return 0;
    } catch (error) {
      await rm(fresh, { force: true });
      await rm(output, { force: true });
      throw error;
    }
  },
};

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
