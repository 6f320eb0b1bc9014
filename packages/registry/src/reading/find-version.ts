// Finds the version a caller wants to read, and decides whether the caller may.

import { parseAddress, type SkillAddress, Version } from 'skillwright/registry-protocol';
import { type Caller, type Guarded, may, notFound, visibleTo } from '../access/index.ts';
import { maySeeVersion, refuseFiles, type VersionRow, versionColumns } from '../catalog/index.ts';
import type { Store } from '../store/index.ts';

/** A skill, and one of its versions; the latest by default. */
export interface WantedVersion extends SkillAddress {
  readonly version?: string | undefined;
}

/** A version that the caller may read. */
export interface ReadableVersion extends SkillAddress {
  readonly skillId: number;
  readonly versionId: number;
  readonly version: string;
  /** Whether the caller named the version. */
  readonly isNamed: boolean;
  readonly digest: string;
}

type Row = VersionRow & Guarded;

/** Fails in the same way for skills and versions that do not exist and for those the caller may not see. */
export async function findVersion(
  registry: Store,
  caller: Caller,
  { owner, name, version }: WantedVersion,
): Promise<ReadableVersion> {
  const parameters = [owner, name, version ?? null];
  const [row] = await registry.database.query<Row>(
    `select ${versionColumns}, s.owner_id as "ownerId", s.visibility, s.is_withheld as "isWithheld", s.name
     from skills s join owners o on o.id = s.owner_id
     join versions v on v.skill_id = s.id and v.version = coalesce($3::text, s.latest)
     where o.name = $1 and s.name = $2 and ${visibleTo(caller, parameters, { name })}`,
    parameters,
  );
  if (row === undefined || !maySeeVersion(caller, row)) throw notFound();
  const refusal = refuseFiles(row, { now: registry.now(), isReviewer: may(caller, 'review', row) });
  if (refusal !== undefined) throw refusal;
  return {
    owner,
    name,
    skillId: row.skill_id,
    versionId: row.id,
    version: row.version,
    isNamed: version !== undefined,
    digest: row.archive_digest,
  };
}

/** `@owner/name` or `@owner/name@version`; undefined for anything else. */
export function parseWanted(text: string): WantedVersion | undefined {
  const at = text.indexOf('@', 1);
  const address = parseAddress(at === -1 ? text : text.slice(0, at));
  if (address === undefined || text.length > 300) return undefined;
  if (at === -1) return address;
  const version = Version.safeParse(text.slice(at + 1));
  return version.success ? { ...address, version: version.data } : undefined;
}
