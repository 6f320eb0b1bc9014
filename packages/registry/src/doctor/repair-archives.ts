// Puts archives back from a backup. An archive is named by its digest, so a backup cannot put back other bytes.

import { readBackup } from '../backup/index.ts';
import { digestOf } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { refreshSkills, removeUnusedArchive } from '../skills/index.ts';
import { findBrokenArchives, findOrphans } from './checks/archives.ts';
import { findUnsearchable } from './checks/search.ts';
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

/** Removes archives that no version uses, and indexes skills again that searches find wrongly or not at all. */
export async function tidy(registry: Registry): Promise<Finding[]> {
  const orphans = await findOrphans(registry);
  // Each is looked at again under its lock: a publication may have begun to use it.
  for (const digest of orphans) await removeUnusedArchive(registry, digest);
  const { wrong } = await findUnsearchable(registry, { isThorough: true });
  for (const { id } of wrong) await indexAgain(registry, id);
  const messages = [
    `removed ${orphans.length} archives that no version used`,
    `indexed ${wrong.length} skills again`,
  ];
  return messages.map((message) => ({ check: 'tidy', state: 'ok', message }));
}

async function indexAgain(registry: Registry, id: number): Promise<void> {
  await registry.database.transaction(async (tx) => {
    const [skill] = await tx.query<{ name: string; owner: string }>(
      `select s.name, o.name as owner from skills s join owners o on o.id = s.owner_id where s.id = $1 for update of s`,
      [id],
    );
    // Without its document nothing else removes the words of a skill.
    await tx.query('delete from search_postings where skill_id = $1', [id]);
    await refreshSkills(tx, registry, [{ id, ...skill!, isPublic: false, isReindexed: true }]);
  });
}
