// Repairs that need no backup: archives nobody uses, and skills that searches do not find.

import type { Registry } from '../registry.ts';
import { refreshSkills, removeUnusedArchive } from '../skills/index.ts';
import { findOrphans } from './checks/orphans.ts';
import { findUnsearchable } from './checks/search.ts';
import type { Finding } from './finding.ts';

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
    await refreshSkills(tx, registry, { skills: [{ id, ...skill!, isPublic: false, isReindexed: true }] });
  });
}
