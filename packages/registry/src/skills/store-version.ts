// The transaction of a publication.

import { type IndexVersion, type Provenance, spellAddress } from 'skillwright/registry-protocol';
import { nameSkeleton } from 'skillwright/skill';
import { type Caller, recordAll } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { indexVersionOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import { appendLeaves } from '../log/index.ts';
import { storeReadings } from '../reading/index.ts';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';
import { demandProvenance, findTaken, type VersionAddress, versionExists } from './admit-publication.ts';
import type { Inspected } from './inspect-archive.ts';
import { refreshSkills } from './refresh-skill.ts';
import { blobsWithin, lockArchives } from './stored-archive.ts';

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
  const [stored] = await storeVersions(registry, caller, [checked]);
  if (stored instanceof Failure) throw stored;
  return indexVersionOf(stored!, registry.now());
}

/** Stores versions in one transaction, with as few statements as one. Those that cannot be stored come back as the reason. */
export async function storeVersions(
  registry: Registry,
  caller: Caller,
  versions: readonly CheckedVersion[],
): Promise<(VersionRow | Failure)[]> {
  return registry.database.transaction(async (tx) => {
    await lockArchives(
      tx,
      versions.map(({ digest }) => digest),
    );
    const skills = await lockOrCreateSkills(tx, versions);
    const results: (VersionRow | Failure)[] = [];
    const admitted: Admitted[] = [];
    for (const [at, checked] of versions.entries()) {
      const skill = skills[at]!;
      const failure = skill instanceof Failure ? skill : refuse(registry, caller, skill);
      if (failure !== undefined) results[at] = failure;
      else admitted.push({ at, checked, skill: skill as LockedSkill });
    }
    const fit = await refuseWithheld(tx, admitted, results);
    const reviewed = await decideReviews(tx, registry, { caller, admitted: fit });
    const stored: Stored[] = [];
    const rows = await insertVersions(tx, registry, { caller, reviewed });
    for (const [number, row] of rows.entries()) {
      const one = reviewed[number]!;
      results[one.at] = row;
      if (!(row instanceof Failure)) stored.push({ ...one, row });
    }
    if (stored.length > 0) await finish(tx, registry, { caller, stored });
    return results;
  });
}

/** A version on its way into the database; `at` is its place among those given. */
interface Admitted {
  readonly at: number;
  readonly checked: CheckedVersion;
  readonly skill: LockedSkill;
}

interface Reviewed extends Admitted {
  readonly review: 'approved' | 'pending';
}

interface Stored extends Reviewed {
  readonly row: VersionRow;
}

function refuse({ settings }: Registry, caller: Caller, skill: LockedSkill): Failure | undefined {
  try {
    demandProvenance(caller, { isRequired: settings.requireProvenance || skill.require_provenance });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Leaves out what the registry withholds from everybody: the files of purged and quarantined versions do not come back elsewhere. */
async function refuseWithheld(
  tx: Queryable,
  admitted: readonly Admitted[],
  results: (VersionRow | Failure)[],
): Promise<Admitted[]> {
  const rows = await tx.query<{ at: number; state: string }>(
    `select n.at, min(case when v.purged is null then 'quarantined' else 'purged' end) as state
     from jsonb_to_recordset($1::jsonb) as n(at int, skill_id bigint, version text, digest text, files jsonb)
       join versions v on (v.purged is not null or v.quarantined is not null)
         and (v.skill_id, v.version) <> (n.skill_id, n.version)
         and (v.archive_digest = n.digest or v.document::jsonb->'files' = n.files) group by n.at`,
    [
      json(
        admitted.map(({ at, skill, checked: { address, digest, inspected } }) => ({
          at,
          skill_id: skill.id,
          version: address.version,
          digest,
          files: inspected.files,
        })),
      ),
    ],
  );
  const states = new Map(rows.map(({ at, state }) => [at, state]));
  for (const [at, state] of states)
    results[at] = new Failure(
      'forbidden',
      `a version with these files was ${state}; they cannot be published again`,
    );
  return admitted.filter(({ at }) => !states.has(at));
}

/** Everything that follows from the rows of versions: bytes, skills, audit, log. */
async function finish(
  tx: Queryable,
  registry: Registry,
  { caller, stored }: { caller: Caller; stored: readonly Stored[] },
): Promise<void> {
  const blobs = blobsWithin(registry, tx);
  await blobs.putAll(new Map(stored.map(({ checked }) => [checked.digest, checked.archive])));
  const readings = stored.flatMap(({ checked: { digest, inspected } }) =>
    inspected.reading === undefined ? [] : [[digest, inspected.reading] as const],
  );
  await storeReadings(tx, blobs, new Map(readings));
  await refreshSkills(
    tx,
    registry,
    [...Map.groupBy(stored, ({ skill }) => skill.id)].map(([id, versions]) => {
      const { name, owner } = versions[0]!.checked.address;
      return { id, name, owner, isPublic: versions.some(({ review }) => review === 'approved') };
    }),
    new Map(stored.map(({ row, checked }) => [row.id, checked.inspected])),
  );
  await recordAll(
    tx,
    caller,
    stored.map(({ checked, skill, review }) => ({
      action: 'version.publish',
      ownerId: checked.ownerId,
      skillId: skill.id,
      version: checked.address.version,
      details: { archive: checked.digest, verdict: checked.inspected.verdict, review },
    })),
  );
  await appendLeaves(
    tx,
    registry,
    stored.map(({ checked, skill, review, row }) => ({
      entry: {
        kind: 'version',
        name: spellAddress(checked.address),
        version: checked.address.version,
        document: checked.documentDigest,
        archive: checked.digest,
      },
      // Nobody outside hears of a version before it is approved; it gets a public leaf then.
      isPrivate: skill.visibility === 'private' || review !== 'approved',
      skillId: skill.id,
      versionId: row.id,
    })),
  );
}

/** The skills of versions, in order; of two new names that look alike the first is taken. */
async function lockOrCreateSkills(
  tx: Queryable,
  versions: readonly CheckedVersion[],
): Promise<(LockedSkill | Failure)[]> {
  const named = json(
    versions.map(({ address: { name }, ownerId, published, visibility = 'private' }, at) => ({
      at,
      owner_id: ownerId,
      name,
      skeleton: nameSkeleton(name),
      published,
      visibility,
    })),
  );
  const columns = 'at int, owner_id bigint, name text, skeleton text, published timestamptz, visibility text';
  await tx.query(
    `insert into skills (owner_id, name, skeleton, created_at, updated_at, visibility)
     select n.owner_id, n.name, n.skeleton, n.published, n.published, n.visibility
     from jsonb_to_recordset($1::jsonb) as n(${columns}) order by n.at
     on conflict do nothing`,
    [named],
  );
  const rows = await tx.query<LockedSkill & { at: number }>(
    `select n.at, s.id, s.visibility, s.require_provenance from jsonb_to_recordset($1::jsonb) as n(${columns})
     join skills s on s.owner_id = n.owner_id and s.name = n.name order by s.id for update of s`,
    [named],
  );
  const found = new Map(rows.map(({ at, ...skill }) => [at, skill]));
  const skills: (LockedSkill | Failure)[] = [];
  for (const [at, checked] of versions.entries())
    skills.push(found.get(at) ?? (await findLookAlike(tx, checked)));
  return skills;
}

async function findLookAlike(
  tx: Queryable,
  { address: { name }, ownerId }: CheckedVersion,
): Promise<Failure> {
  const [other] = await tx.query<{ name: string }>(
    'select name from skills where owner_id = $1 and skeleton = $2',
    [ownerId, nameSkeleton(name)],
  );
  return new Failure(
    'name_taken',
    `'${name}' looks like '${other?.name}', which exists; choose another name`,
  );
}

/** Whether a reviewer has to approve each version before anyone can install it. */
async function decideReviews(
  tx: Queryable,
  { settings }: Registry,
  { caller, admitted }: { caller: Caller; admitted: readonly Admitted[] },
): Promise<Reviewed[]> {
  const mayPass = (checked: CheckedVersion): boolean =>
    checked.inspected.verdict !== 'danger' && settings.review !== 'all';
  const asked = settings.review === 'new' ? admitted.filter(({ checked }) => mayPass(checked)) : [];
  // Nothing that is stored here changes these answers: a skill or publisher that is new waits for its first approval.
  const rows =
    asked.length === 0
      ? []
      : await tx.query<{ id: number }>(
          `select s.id from skills s where s.id = any($1::bigint[])
             and exists (select from versions v where v.skill_id = s.id and v.review = 'approved')
             and exists (select from versions v join skills o on o.id = v.skill_id
               where o.owner_id = s.owner_id and v.published_by = $2 and v.review = 'approved')`,
          [asked.map(({ skill }) => skill.id), caller.account!.id],
        );
  const known = new Set(rows.map(({ id }) => id));
  return admitted.map((one) => {
    const isKnown = settings.review === 'off' || known.has(one.skill.id);
    return { ...one, review: mayPass(one.checked) && isKnown ? 'approved' : 'pending' };
  });
}

/** Rows of the versions, in order; a failure for those that exist. */
async function insertVersions(
  tx: Queryable,
  { settings }: Registry,
  { caller, reviewed }: { caller: Caller; reviewed: readonly Reviewed[] },
): Promise<(VersionRow | Failure)[]> {
  if (reviewed.length === 0) return [];
  const rows = await tx.query<VersionRow>(
    `insert into versions as v (skill_id, version, archive_digest, archive_size, document, document_digest, manifest,
       search_text, review, scan, provenance, published_by, started_by, published_at, eligible_at)
     select n.skill_id, n.version, n.archive_digest, n.archive_size, n.document, n.document_digest, n.manifest,
       n.search_text, n.review, n.scan, n.provenance, $2::bigint, $3::bigint, n.published_at, n.eligible_at
     from jsonb_to_recordset($1::jsonb) as n(at int, skill_id bigint, version text, archive_digest text,
       archive_size bigint, document text, document_digest text, manifest jsonb, search_text jsonb, review text,
       scan jsonb, provenance jsonb, published_at timestamptz, eligible_at timestamptz)
     order by n.at on conflict (skill_id, version) do nothing returning ${versionColumns}`,
    [
      json(reviewed.map((one, at) => ({ at, ...columnsOf(one, settings) }))),
      caller.account!.id,
      caller.startedBy ?? null,
    ],
  );
  const made = new Map(rows.map((row) => [`${row.skill_id}/${row.version}`, row]));
  const results: (VersionRow | Failure)[] = [];
  for (const { skill, checked } of reviewed) {
    const { version } = checked.address;
    const key = `${skill.id}/${version}`;
    const row = made.get(key);
    // The same version may be among the given ones twice.
    made.delete(key);
    if (row !== undefined) results.push(row);
    else {
      const taken = await findTaken(tx, { skillId: skill.id, version });
      results.push(versionExists({ version, taken, digest: checked.digest }));
    }
  }
  return results;
}

function columnsOf({ checked, skill, review }: Reviewed, settings: Registry['settings']) {
  const { archive, digest, inspected, document, documentDigest, provenance, published } = checked;
  const { verdict, engine, flags, manifest, searchText } = inspected;
  return {
    skill_id: skill.id,
    version: checked.address.version,
    archive_digest: digest,
    archive_size: archive.byteLength,
    document,
    document_digest: documentDigest,
    manifest,
    search_text: searchText,
    review,
    scan: { verdict, engine, scanned: published.toISOString(), flags },
    provenance,
    published_at: published,
    eligible_at: new Date(published.getTime() + settings.minimumAgeHours * 3_600_000),
  };
}
