// The transaction of a publication.

import { type IndexVersion, type Provenance, spellAddress } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { Failure } from '../app/failure.ts';
import { record } from '../audit/record.ts';
import { appendLeaves, type NewLeaf } from '../log/append-leaf.ts';
import { nameSkeleton } from '../owners/name-skeleton.ts';
import { storeReading } from '../read/prepare-version.ts';
import type { Registry } from '../registry.ts';
import { indexSkills, type SearchedSkill } from '../search/index-skill.ts';
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
  /** Of a skill that does not exist yet; private when left out. */
  readonly visibility?: 'private' | 'public' | undefined;
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
  const row = await registry.database.transaction(async (tx) => {
    const batch: Batch = { searched: [], leaves: [] };
    const stored = await storeRows(tx, registry, { caller, checked, batch });
    await finishBatch(tx, registry, batch);
    return stored;
  });
  return indexVersionOf(row, registry.now());
}

/** Stores versions of different skills in one transaction. Those that cannot be stored come back with the reason. */
export async function storeVersions(
  registry: Registry,
  caller: Caller,
  versions: readonly CheckedVersion[],
): Promise<(Failure | undefined)[]> {
  return registry.database.transaction(async (tx) => {
    const batch: Batch = { searched: [], leaves: [] };
    const results: (Failure | undefined)[] = [];
    for (const checked of versions) {
      await tx.query('savepoint version');
      try {
        await storeRows(tx, registry, { caller, checked, batch });
        await tx.query('release savepoint version');
        results.push(undefined);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await tx.query('rollback to savepoint version');
        results.push(error);
      }
    }
    await finishBatch(tx, registry, batch);
    return results;
  });
}

/** Work of a transaction that costs the same for one version and for many. */
interface Batch {
  readonly searched: SearchedSkill[];
  readonly leaves: NewLeaf[];
}

async function finishBatch(tx: Queryable, registry: Registry, { searched, leaves }: Batch): Promise<void> {
  // The last version of a skill in a batch decides.
  const latest = new Map(searched.map((skill) => [skill.skillId, skill]));
  if (latest.size > 0) await indexSkills(tx, [...latest.values()]);
  if (leaves.length > 0) await appendLeaves(tx, registry, leaves);
}

async function storeRows(
  tx: Queryable,
  registry: Registry,
  { caller, checked, batch }: { caller: Caller; checked: CheckedVersion; batch: Batch },
): Promise<VersionRow> {
  const { address, archive, digest, inspected, documentDigest } = checked;
  await lockArchive(tx, digest);
  const blobs = blobsWithin(registry, tx);
  await blobs.put(digest, archive);
  if (inspected.reading !== undefined) await storeReading(tx, { blobs, digest }, inspected.reading);
  const skill = await lockOrCreateSkill(tx, checked);
  demandProvenance(caller, { isRequired: registry.settings.requireProvenance || skill.require_provenance });
  const review = await decideReview(tx, registry, { skillId: skill.id, caller, checked });
  const row = await insertVersion(tx, registry, { skillId: skill.id, caller, checked, review });
  const { name, owner } = address;
  await refreshSkill(
    tx,
    registry,
    { id: skill.id, name, owner },
    { isPublic: review === 'approved', later: batch.searched },
  );
  await record(tx, caller, {
    action: 'version.publish',
    ownerId: checked.ownerId,
    skillId: skill.id,
    version: address.version,
    details: { archive: digest, verdict: inspected.verdict, review },
  });
  batch.leaves.push({
    entry: {
      kind: 'version',
      name: spellAddress(address),
      version: address.version,
      document: documentDigest,
      archive: digest,
    },
    // Nobody outside hears of a version before it is approved; its proof opens the leaf afterwards.
    isPrivate: skill.visibility === 'private' || review !== 'approved',
    skillId: skill.id,
    versionId: row.id,
  });
  return row;
}

async function lockOrCreateSkill(
  tx: Queryable,
  { address: { name }, ownerId, published, visibility = 'private' }: CheckedVersion,
): Promise<LockedSkill> {
  const skeleton = nameSkeleton(name);
  await tx.query(
    `insert into skills (owner_id, name, skeleton, created_at, updated_at, visibility) values ($1, $2, $3, $4, $4, $5)
     on conflict do nothing`,
    [ownerId, name, skeleton, published, visibility],
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
  const taken = await findTaken(tx, { skillId, version });
  throw versionExists({ version, taken, digest });
}
