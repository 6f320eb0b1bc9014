// Proofs and entries for those who may see a skill.

import type { LogEntry } from 'skillwright/registry-protocol';
import { inclusionProof, proveSubject, spellOpening, spellProof } from 'skillwright/transparency-log';
import { notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { versionsIn, viewOf } from '../catalog/index.ts';
import { currentCheckpoint, logSigner, readStoredHashes, witnessedCheckpoint } from '../log/index.ts';
import type { Handlers } from '../work/index.ts';
import { seeFacts, seeVersion } from './see-skill.ts';

interface LeafRow {
  readonly generation: number;
  readonly index: number;
  readonly entry: string;
  readonly salt: Uint8Array | null;
  readonly subject: string | null;
  readonly version: number | null;
}

const LEAVES = `select l.generation, l.index, l.entry, l.salt, l.subject, l.version_id as version from log_leaves l
  join log_origins o on o.generation = l.generation`;

export const proofOperations = {
  /**
   * The proof file of a version: that its entry is in the log the newest checkpoint describes, or the newest one that witnesses
   * have cosigned. A public leaf counts before a private one.
   */
  async proveVersion({ registry, caller, path, query: { witnessed: wanted }, context }) {
    const { database } = registry;
    const { row } = await seeVersion(registry, caller, path);
    const [leaf] = await database.query<LeafRow>(
      `${LEAVES} where o.closed_at is null and l.version_id = $1 and l.kind = 'version'
       order by l.salt is not null, l.subject is null, l.index limit 1`,
      [row.id],
    );
    if (leaf === undefined) throw notFound();
    const { index, salt, subject } = leaf;
    const witnessed = wanted === 'yes' ? await witnessedCheckpoint(database, leaf) : undefined;
    const { generation, size, note, cosignatures } = witnessed ?? (await currentCheckpoint(registry));
    // The log started again between the two queries.
    if (generation !== leaf.generation)
      throw new Failure('unavailable', 'the log is starting again; try later');
    const entry = JSON.parse(leaf.entry) as LogEntry;
    const proof =
      subject === null || entry.kind !== 'version'
        ? undefined
        : proveSubject(entry.name, await database.transaction((tx) => logSigner(tx, registry)));
    const text = spellProof({
      index,
      hashes: await inclusionProof({ index, size }, readStoredHashes(database, generation)),
      checkpoint: note + cosignatures,
      extra: spellOpening({ entry, salt, proof }),
    });
    return context.body(text, 200, { 'content-type': 'text/plain; charset=utf-8' });
  },

  /** The entries about a skill, without those of versions the caller may not see. */
  async readSkillLog({ registry, caller, path }) {
    const facts = await seeFacts(registry, caller, path);
    const { origin } = await currentCheckpoint(registry);
    const rows = await registry.database.query<LeafRow>(
      `${LEAVES} where o.origin = $2 and l.skill_id = $1 order by l.index`,
      [facts.skill.id, origin],
    );
    const shown = new Set(versionsIn(facts, viewOf(caller, facts.skill)).map(({ id }) => id));
    const entries = rows
      .filter(({ version }) => version === null || shown.has(version))
      .map(({ index, entry, salt, subject }) => ({
        index,
        entry: JSON.parse(entry) as LogEntry,
        salt: salt === null ? null : Buffer.from(salt).toString('base64'),
        subject,
      }));
    return { origin, entries };
  },
} satisfies Partial<Handlers>;
