// Proofs and entries for those who may see a skill.

import type { LogEntry, SkillAddress } from 'skillwright/registry-protocol';
import { inclusionProof, spellOpening, spellProof } from 'skillwright/transparency-log';
import type { Caller } from '../access/caller.ts';
import { type Guarded, may, maySee, notFound } from '../access/may.ts';
import { Failure } from '../app/failure.ts';
import type { Registry } from '../registry.ts';
import { currentCheckpoint } from './current-checkpoint.ts';
import { readStoredHashes } from './stored-hashes.ts';

interface LeafRow {
  readonly generation: number;
  readonly index: number;
  readonly entry: string;
  readonly salt: Uint8Array | null;
}

/** An entry about a skill, with its salt if the leaf is a commitment. */
export interface LoggedEntry {
  readonly index: number;
  readonly entry: LogEntry;
  /** Base64. */
  readonly salt: string | null;
}

/** The proof file of a version: that its entry is in the log the newest checkpoint describes. */
export async function proveVersion(
  registry: Registry,
  caller: Caller,
  { version, ...address }: SkillAddress & { readonly version: string },
): Promise<string> {
  const skill = await findSkill(registry, caller, address);
  const [leaf] = await registry.database.query<LeafRow & { review: string }>(
    `select l.generation, l.index, l.entry, l.salt, v.review from versions v
     join log_leaves l on l.version_id = v.id and l.kind = 'version'
     join log_origins o on o.generation = l.generation and o.closed_at is null
     where v.skill_id = $1 and v.version = $2 order by l.index limit 1`,
    [skill.id, version],
  );
  if (leaf === undefined || (leaf.review !== 'approved' && !may(caller, 'preview', skill))) throw notFound();
  const { generation, size, note, cosignatures } = await currentCheckpoint(registry);
  // The log started again between the two queries.
  if (generation !== leaf.generation)
    throw new Failure('unavailable', 'the log is starting again; try later');
  const read = readStoredHashes(registry.database, generation);
  const { index, entry, salt } = leaf;
  return spellProof({
    index,
    hashes: await inclusionProof({ index, size }, read),
    checkpoint: note + cosignatures,
    extra: spellOpening({ entry: JSON.parse(entry) as LogEntry, salt }),
  });
}

/** Everything the log says about a skill, oldest first. */
export async function listEntries(
  registry: Registry,
  caller: Caller,
  address: SkillAddress,
): Promise<{ readonly origin: string; readonly entries: readonly LoggedEntry[] }> {
  const skill = await findSkill(registry, caller, address);
  const rows = await registry.database.query<LeafRow & { origin: string; review: string | null }>(
    `select o.origin, l.index, l.entry, l.salt, v.review from log_leaves l
     join log_origins o on o.generation = l.generation and o.closed_at is null
     left join versions v on v.id = l.version_id
     where l.skill_id = $1 order by l.index`,
    [skill.id],
  );
  const shown = rows.filter(
    ({ review }) => review === null || review === 'approved' || may(caller, 'preview', skill),
  );
  return {
    origin: rows[0]?.origin ?? (await currentCheckpoint(registry)).origin,
    entries: shown.map(({ index, entry, salt }) => ({
      index,
      entry: JSON.parse(entry) as LogEntry,
      salt: salt === null ? null : Buffer.from(salt).toString('base64'),
    })),
  };
}

async function findSkill(
  { database }: Registry,
  caller: Caller,
  { owner, name }: SkillAddress,
): Promise<Guarded & { readonly id: number }> {
  const [skill] = await database.query<{ id: number } & Guarded>(
    `select s.id, s.owner_id as "ownerId", s.visibility from skills s join owners o on o.id = s.owner_id
     where o.name = $1 and s.name = $2`,
    [owner, name],
  );
  if (skill === undefined || !maySee(caller, skill)) throw notFound();
  return skill;
}
