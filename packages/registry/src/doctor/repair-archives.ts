// Puts archives back from a backup. An archive is named by its digest, so a backup cannot put back other bytes.

import { readBackup } from '../backup/index.ts';
import { digestOf } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { findBrokenArchives } from './checks/archives.ts';
import type { Finding } from './finding.ts';

/** Looks at every archive, and replaces those that are missing or damaged if the backup has them. */
export async function repairArchives(registry: Registry, file: string): Promise<Finding> {
  const { broken } = await findBrokenArchives(registry, { isThorough: true });
  const wanted = new Set(broken.map(({ digest }) => digest));
  let repaired = 0;
  for await (const { name, bytes } of readBackup(file)) {
    const digest = name.replace(/^blobs\/sha256-/, 'sha256:');
    if (!wanted.has(digest) || digestOf(bytes) !== digest) continue;
    await registry.blobs.remove(digest);
    await registry.blobs.put(digest, bytes);
    wanted.delete(digest);
    repaired++;
  }
  const message = `put back ${repaired} of ${broken.length} archives from ${file}`;
  return { check: 'repair', state: wanted.size === 0 ? 'ok' : 'warning', message };
}
