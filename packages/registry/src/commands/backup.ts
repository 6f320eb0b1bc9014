import { open, rename, rm } from 'node:fs/promises';
import { describeSystemError } from 'skillwright/base';
import { checkBackup } from '../backup/index.ts';
import { Problem } from '../base/index.ts';
import { syncFile } from '../store/index.ts';
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
