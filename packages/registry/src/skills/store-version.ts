// The transaction of a publication.

import { type IndexVersion, type Provenance, spellAddress } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { Failure } from '../app/failure.ts';
import { record } from '../audit/record.ts';
import { appendLeaf } from '../log/append-leaf.ts';
import { nameSkeleton } from '../owners/name-skeleton.ts';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/database.ts';
import { demandProvenance, findTaken, type VersionAddress, versionExists } from './admit-publication.ts';
import type { Inspected } from './inspection.ts';
import { refreshSkill } from './refresh-skill.ts';
import { blobsWithin, lockArchive } from './stored-archive.ts';
import { indexVersionOf, type VersionRow, versionColumns } from './version-row.ts';

/** A version whose files were checked. */
export interface CheckedVersion {
  readonly address: VersionAddress;
  readonly ownerId: number;
  readonly archive: Uint8Array;
  readonly digest: string;
  readonly inspected: Inspected;
  readonly provenance: Provenance | null;
  readonly document: string;
  readonly documentDigest: string;
  readonly published: Date;
}

interface LockedSkill {
  readonly id: number;
  readonly visibility: 'private' | 'public';
  readonly require_provenance: boolean;
}

/** Stores a checked version: bytes, row, skill, audit and log together. */
export async function storeVersion(
  registry: Registry,
  caller: Caller,
  checked: CheckedVersion,
): Promise<IndexVersion> {
  const { address, archive, digest, inspected, documentDigest } = checked;
  return registry.database.transaction(async (tx) => {
    await lockArchive(tx, digest);
    await blobsWithin(registry, tx).put(digest, archive);
    const skill = await lockOrCreateSkill(tx, checked);
    demandProvenance(caller, { isRequired: registry.settings.requireProvenance || skill.require_provenance });
    const review = await decideReview(tx, registry, { skillId: skill.id, caller, checked });
    const row = await insertVersion(tx, registry, { skillId: skill.id, caller, checked, review });
    const { name, owner } = address;
    await refreshSkill(tx, registry, { id: skill.id, name, owner }, { isPublic: review === 'approved' });
    await record(tx, caller, {
      action: 'version.publish',
      ownerId: checked.ownerId,
      skillId: skill.id,
      version: address.version,
      details: { archive: digest, verdict: inspected.verdict, review },
    });
    await appendLeaf(tx, registry, {
      entry: {
        kind: 'version',
        name: spellAddress(address),
        version: address.version,
        document: documentDigest,
        archive: digest,
      },
      isPrivate: skill.visibility === 'private',
      skillId: skill.id,
      versionId: row.id,
    });
    return indexVersionOf(row, registry.now());
  });
}

async function lockOrCreateSkill(
  tx: Queryable,
  { address: { name }, ownerId, published }: CheckedVersion,
): Promise<LockedSkill> {
  const skeleton = nameSkeleton(name);
  await tx.query(
    `insert into skills (owner_id, name, skeleton, created_at, updated_at) values ($1, $2, $3, $4, $4)
     on conflict do nothing`,
    [ownerId, name, skeleton, published],
  );
  const [skill] = await tx.query<LockedSkill>(
    'select id, visibility, require_provenance from skills where owner_id = $1 and name = $2 for update',
    [ownerId, name],
  );
  if (skill !== undefined) return skill;
  const [other] = await tx.query<{ name: string }>(
    'select name from skills where owner_id = $1 and skeleton = $2',
    [ownerId, skeleton],
  );
  throw new Failure('name_taken', `'${name}' looks like '${other?.name}', which exists; choose another name`);
}

/** Whether a reviewer has to approve the version before anyone can install it. */
async function decideReview(
  tx: Queryable,
  { settings }: Registry,
  { skillId, caller, checked }: { skillId: number; caller: Caller; checked: CheckedVersion },
): Promise<'approved' | 'pending'> {
  if (checked.inspected.verdict === 'danger' || settings.review === 'all') return 'pending';
  if (settings.review === 'off') return 'approved';
  const [known] = await tx.query<{ skill: boolean; publisher: boolean }>(
    `select exists (select from versions v where v.skill_id = $1 and v.review = 'approved') as skill,
       exists (select from versions v join skills s on s.id = v.skill_id
         where s.owner_id = $2 and v.published_by = $3 and v.review = 'approved') as publisher`,
    [skillId, checked.ownerId, caller.account!.id],
  );
  return known?.skill === true && known.publisher ? 'approved' : 'pending';
}

async function insertVersion(
  tx: Queryable,
  { settings }: Registry,
  {
    skillId,
    caller,
    checked,
    review,
  }: { skillId: number; caller: Caller; checked: CheckedVersion; review: 'approved' | 'pending' },
): Promise<VersionRow> {
  const { archive, digest, inspected, document, documentDigest, provenance, published } = checked;
  const { version } = checked.address;
  const { verdict, engine, flags, manifest, searchText } = inspected;
  const [row] = await tx.query<VersionRow>(
    `insert into versions as v (skill_id, version, archive_digest, archive_size, document, document_digest, manifest,
       search_text, review, scan, provenance, published_by, published_at, eligible_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10::jsonb, $11::jsonb, $12, $13, $14)
     on conflict (skill_id, version) do nothing returning ${versionColumns}`,
    [
      skillId,
      version,
      digest,
      archive.byteLength,
      document,
      documentDigest,
      json(manifest),
      json(searchText),
      review,
      json({ verdict, engine, scanned: published.toISOString(), flags }),
      provenance === null ? null : json(provenance),
      caller.account!.id,
      published,
      new Date(published.getTime() + settings.minimumAgeHours * 3_600_000),
    ],
  );
  if (row !== undefined) return row;
  const taken = (await findTaken(tx, { skillId, version })) ?? '';
  throw versionExists({ version, taken, digest });
}
