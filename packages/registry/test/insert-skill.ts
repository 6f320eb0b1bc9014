// Puts a skill into a test registry without the checks of a publication.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { archiveSkill } from 'skillwright/ship';
import { digestOf } from '../src/base/secrets.ts';
import { prepareReading, storeReadings } from '../src/reading/prepare-version.ts';
import type { Registry } from '../src/registry.ts';
import { indexSkills } from '../src/search/index-skill.ts';
import type { Queryable } from '../src/store/database.ts';

/** A skill to insert; fields left out have plain values. */
export interface TestSkill {
  readonly owner?: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly visibility?: 'private' | 'public';
  readonly tags?: readonly string[];
  readonly category?: string;
  readonly level?: 'community' | 'verified' | 'official';
  readonly downloads?: number;
  /** Text after the frontmatter. */
  readonly body?: string;
  /** Lines of the frontmatter besides name and description. */
  readonly frontmatter?: string;
  /** Further files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Ids of an inserted skill. */
export interface InsertedSkill {
  readonly skillId: number;
  readonly versionId: number;
  readonly ownerId: number;
  readonly digest: string;
}

/** Inserts a skill with one version, or a further version of it, and makes it searchable and readable. */
export async function insertSkill(registry: Registry, skill: TestSkill): Promise<InsertedSkill> {
  const { name, version = '1.0.0', description = `About ${name}.`, body = '' } = skill;
  const files = {
    'SKILL.md': `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${skill.frontmatter ?? ''}---\n${body}`,
    ...skill.files,
  };
  const packed = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, bytes: Buffer.from(text), executable: false }));
  const archive = await archiveSkill(packed);
  const digest = digestOf(archive);
  await registry.blobs.put(digest, archive);
  const directory = mkdtempSync(join(tmpdir(), 'skw-insert-'));
  try {
    for (const { path, bytes } of packed) {
      mkdirSync(dirname(join(directory, name, path)), { recursive: true });
      writeFileSync(join(directory, name, path), bytes);
    }
    const room = join(directory, 'reading_room');
    mkdirSync(room);
    const reading = await prepareReading(join(directory, name), { room, name });
    await storeReadings(registry.database, registry.blobs, new Map([[digest, reading]]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return registry.database.transaction(async (tx) => {
    const ownerId = await ensureOwner(tx, skill.owner ?? 'acme');
    const [row] = await tx.query<{ id: number }>(
      `insert into skills (owner_id, name, skeleton, visibility, description, tags, category, level, downloads, latest)
       values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (owner_id, name) do update set latest = excluded.latest, description = excluded.description returning id`,
      [
        ownerId,
        name,
        skill.visibility ?? 'public',
        description,
        skill.tags ?? [],
        skill.category ?? null,
        skill.level ?? 'community',
        skill.downloads ?? 0,
        version,
      ],
    );
    const skillId = row!.id;
    const [made] = await tx.query<{ id: number }>(
      `insert into versions (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, scan, published_by)
       values ($1, $2, $3, $4, '{}', '', '{}'::jsonb, '{}'::jsonb, (select min(id) from accounts)) returning id`,
      [skillId, version, digest, archive.byteLength],
    );
    const searched = {
      skillId,
      owner: skill.owner ?? 'acme',
      name,
      description,
      tags: skill.tags ?? [],
      category: skill.category ?? null,
      headings: [],
      body: skill.frontmatter?.includes('quiz:') ? '' : body,
    };
    await indexSkills(tx, [searched]);
    return { skillId, versionId: made!.id, ownerId, digest };
  });
}

async function ensureOwner(tx: Queryable, name: string): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into owners (name, skeleton) values ($1, $1) on conflict (name) do update set name = excluded.name returning id`,
    [name],
  );
  return row!.id;
}
