// Proofs and entries for those who may see a skill.

import type { LogEntry, SkillAddress, SkillLog } from 'skillwright/registry-protocol';
import { inclusionProof, proveSubject, spellOpening, spellProof } from 'skillwright/transparency-log';
import { type Caller, notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { versionsIn, viewOf } from '../catalog/index.ts';
import { currentCheckpoint, logSigner, readStoredHashes, witnessedCheckpoint } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import { seeFacts, seeVersion } from './see-skill.ts';

interface LeafRow {
  readonly generation: number;
  readonly index: number;
  readonly entry: string;
  readonly salt: Uint8Array | null;
  readonly subject: string | null;
}

/**
 * The proof file of a version: that its entry is in the log the newest checkpoint describes, or the newest one that witnesses
 * have cosigned. A public leaf counts before a private one.
 */
export async function proveVersion(
  registry: Registry,
  caller: Caller,
  {
    isWitnessed = false,
    ...address
  }: SkillAddress & { readonly version: string; readonly isWitnessed?: boolean },
): Promise<string> {
  const { row } = await seeVersion(registry, caller, address);
  const [leaf] = await registry.database.query<LeafRow>(
    `select l.generation, l.index, l.entry, l.salt, l.subject from log_leaves l
     join log_origins o on o.generation = l.generation and o.closed_at is null
     where l.version_id = $1 and l.kind = 'version'
     order by l.salt is not null, l.subject is null, l.index limit 1`,
    [row.id],
  );
  if (leaf === undefined) throw notFound();
  const { index, entry: text, salt, subject } = leaf;
  const witnessed = isWitnessed ? await witnessedCheckpoint(registry.database, leaf) : undefined;
  const { generation, size, note, cosignatures } = witnessed ?? (await currentCheckpoint(registry));
  // The log started again between the two queries.
  if (generation !== leaf.generation)
    throw new Failure('unavailable', 'the log is starting again; try later');
  const read = readStoredHashes(registry.database, generation);
  const entry = JSON.parse(text) as LogEntry;
  const proof =
    subject === null || entry.kind !== 'version'
      ? undefined
      : await registry.database.transaction(async (tx) =>
          proveSubject(entry.name, await logSigner(tx, registry)),
        );
  return spellProof({
    index,
    hashes: await inclusionProof({ index, size }, read),
    checkpoint: note + cosignatures,
    extra: spellOpening({ entry, salt, proof }),
  });
}

/** The entries about a skill, without those of versions the caller may not see. */
export async function listEntries(
  registry: Registry,
  caller: Caller,
  address: SkillAddress,
): Promise<SkillLog> {
  const facts = await seeFacts(registry, caller, address);
  const { origin } = await currentCheckpoint(registry);
  const rows = await registry.database.query<LeafRow & { version_id: number | null }>(
    `select l.index, l.entry, l.salt, l.subject, l.version_id from log_leaves l
     join log_origins o on o.generation = l.generation and o.origin = $2
     where l.skill_id = $1 order by l.index`,
    [facts.skill.id, origin],
  );
  const shown = new Set(versionsIn(facts, viewOf(caller, facts.skill)).map(({ id }) => id));
  return {
    origin,
    entries: rows
      .filter(({ version_id: version }) => version === null || shown.has(version))
      .map(({ index, entry, salt, subject }) => ({
        index,
        entry: JSON.parse(entry) as LogEntry,
        salt: salt === null ? null : Buffer.from(salt).toString('base64'),
        subject,
      })),
  };
}
