import { digestOf, Problem } from '../base/index.ts';
import { openBlobs, openRegistry } from '../registry.ts';
import type { Command } from './command.ts';

/** Archives from one store to another; run again it goes on where it stopped. */
export const moveBlobs: Command = {
  name: 'move-blobs',
  usage: '--to <database | files | s3://bucket/prefix> [--remove]',
  summary: 'Copy all archives and indexes to another store; run it again to go on',
  flags: {
    to: { type: 'string', help: 'Store to copy to; the one in --blobs is copied from' },
    remove: { type: 'boolean', help: 'Remove from the old store what the new one has; only then' },
  },
  async run({ settings, flags, out, err, stop }) {
    const { to } = flags;
    if (typeof to !== 'string') throw new Problem('name the new store: move-blobs --to <store>');
    const registry = await openRegistry(settings);
    try {
      const target = openBlobs(registry.database, { ...settings, blobs: to });
      let [copied, known, bad] = [0, 0, 0];
      for await (const key of registry.blobs.keys()) {
        if (stop.aborted) {
          err(`stopped after ${copied + known}; run the same command again to go on`);
          return 130;
        }
        const bytes = await registry.blobs.get(key);
        // Removed a moment ago.
        if (bytes === undefined) continue;
        const isArchive = !key.includes('.');
        if (isArchive && digestOf(bytes) !== key) {
          bad += 1;
          err(`${key} is damaged and was not copied; 'doctor --repair <backup>' puts it back`);
          continue;
        }
        const there = await target.get(key);
        if (there !== undefined && digestOf(there) === digestOf(bytes)) known += 1;
        else {
          await target.put(key, bytes);
          const stored = await target.get(key);
          if (stored === undefined || digestOf(stored) !== digestOf(bytes))
            throw new Problem(`${to} does not give back what it was given: ${key}`);
          copied += 1;
        }
        if (flags.remove === true) await registry.blobs.remove(key);
      }
      out(`copied ${copied}, ${known} were there; start the registry with --blobs ${to}`);
      return bad === 0 ? 0 : 1;
    } finally {
      await registry.close();
    }
  },
};
