// Public skills for the index of `.well-known/agent-skills`.

import { INDEX_SCHEMA } from 'skillwright/ship';
import { anonymous, visibleTo } from '../access/index.ts';
import { installableOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';

/** Clients fetch every entry of an index to install one skill, so the index of the whole registry is short. */
const MAX_ROOT = 50;
const MAX_OWNER = 1000;

const DESCRIPTION_LIMIT = 1024;

/** Which skills: all, those of an owner, or one. */
export interface Published {
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
}

/** An index of version 0.2. */
export interface DiscoveryIndex {
  readonly $schema: string;
  readonly generator: string;
  /** Present when skills are left out: where the others are. */
  readonly note?: string;
  readonly skills: readonly {
    readonly name: string;
    readonly type: 'archive';
    readonly description: string;
    readonly url: string;
    readonly digest: string;
  }[];
}

interface Row extends VersionRow {
  owner: string;
  name: string;
  description: string;
}

/** The index; undefined when there is no such public skill or owner. */
export async function listPublished(
  { database, publicUrl, now }: Registry,
  { owner, name }: Published,
): Promise<DiscoveryIndex | undefined> {
  const most = owner === undefined ? MAX_ROOT : MAX_OWNER;
  const parameters: unknown[] = [owner ?? null, name ?? null];
  const latest = await database.query<Row>(
    `select ${versionColumns}, o.name as owner, s.name, s.description
     from skills s join owners o on o.id = s.owner_id
     join versions v on v.skill_id = s.id and v.version = s.latest
     where ${visibleTo(anonymous, parameters)} and ($1::text is null or o.name = $1) and ($2::text is null or s.name = $2)
     order by s.downloads desc, s.id desc limit ${2 * most}`,
    parameters,
  );
  const at = now();
  const rows = latest.filter((row) => installableOf(row, at).answer === 'yes');
  if (owner !== undefined && rows.length === 0) return undefined;
  // A name occurs once in an index; of several, the skill with the most downloads.
  const named = new Map<string, Row>();
  for (const row of rows) if (!named.has(row.name)) named.set(row.name, row);
  const shown = [...named.values()].slice(0, most);
  const note =
    owner === undefined
      ? `the ${shown.length} most downloaded skills; for others use ${publicUrl}/@owner or ${publicUrl}/@owner/name`
      : `the ${shown.length} most downloaded skills; for others use ${publicUrl}/@${owner}/name`;
  return {
    $schema: INDEX_SCHEMA,
    generator: 'skillwright',
    ...(shown.length < rows.length ? { note } : {}),
    skills: shown.map((row) => ({
      name: row.name,
      type: 'archive',
      description: Array.from(row.description).slice(0, DESCRIPTION_LIMIT).join(''),
      url: `${publicUrl}/@${row.owner}/${row.name}/.well-known/agent-skills/${row.version}/${row.name}.tar.gz`,
      digest: row.archive_digest,
    })),
  };
}
