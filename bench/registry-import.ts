// Fills a registry with many skills: rows and words in batches, without archives.

import type { Registry } from '../packages/registry/src/registry.ts';
import { indexSkills } from '../packages/registry/src/search/index-skill.ts';
import type { BenchSkill } from './registry-skills.ts';

const BATCH = 100;

/** Inserts public skills with one version each, and makes them searchable. */
export async function insertMany({ database }: Registry, skills: readonly BenchSkill[]): Promise<void> {
  for (let at = 0; at < skills.length; at += BATCH) {
    const batch = skills.slice(at, at + BATCH);
    await database.transaction(async (tx) => {
      await tx.query(
        `insert into owners (name, skeleton) select distinct o, o from unnest($1::text[]) as o on conflict do nothing`,
        [batch.map(({ owner }) => owner)],
      );
      const rows = await tx.query<{ id: number; owner: string; name: string }>(
        `with made as (
           insert into skills (owner_id, name, skeleton, visibility, description, tags, latest)
           select o.id, n.name, n.name, 'public', n.description, string_to_array(n.tags, ','), '1.0.0'
           from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as n (owner, name, description, tags)
           join owners o on o.name = n.owner returning id, owner_id, name
         ), versions_made as (
           insert into versions (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, scan, published_by)
           select id, '1.0.0', 'sha256:' || id, 0, '{}', '', '{}', '{}', (select min(id) from accounts) from made
         )
         select m.id, o.name as owner, m.name from made m join owners o on o.id = m.owner_id`,
        [
          batch.map(({ owner }) => owner),
          batch.map(({ name }) => name),
          batch.map(({ description }) => description),
          batch.map(({ tags }) => tags.join(',')),
        ],
      );
      const ids = new Map(rows.map(({ id, owner, name }) => [`${owner}/${name}`, id]));
      await indexSkills(
        tx,
        batch.map((skill) => ({
          ...skill,
          skillId: ids.get(`${skill.owner}/${skill.name}`)!,
          category: null,
          headings: [],
        })),
      );
    });
  }
}
