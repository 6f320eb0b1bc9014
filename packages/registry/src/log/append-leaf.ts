// Writes into the transparency log.

import { randomBytes } from 'node:crypto';
import { LogEntry } from 'skillwright/registry-protocol';
import {
  appendLeaf as growTree,
  hashLeaf,
  leafOf,
  MAX_ENTRY_BYTES,
  type ReadHash,
  SALT_BYTES,
  type SubtreeHash,
  spellEntry,
  subjectsOf,
} from 'skillwright/transparency-log';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';
import { growOrigin, logSigner } from './log-origin.ts';
import { INSERT_HASHES, readStoredHashes, spellHashes } from './stored-hashes.ts';

/** An entry for the log. */
export interface NewLeaf {
  readonly entry: LogEntry;
  /** Whether the leaf is a salted commitment. Entries about owners always are: they name accounts. */
  readonly isPrivate: boolean;
  readonly skillId?: number | undefined;
  readonly versionId?: number | undefined;
}

/**
 * Appends leaves in the transaction of the change they record, and returns the index of the first. Make it the last step: other
 * transactions that append wait until this one ends.
 */
export async function appendLeaves(
  tx: Queryable,
  registry: Registry,
  leaves: readonly NewLeaf[],
): Promise<number> {
  const subjectOf = await openSubjects(tx, registry, leaves);
  const rows = leaves.map((leaf) => spellLeaf(leaf, subjectOf));
  const { generation, size } = await growOrigin(tx, registry, leaves.length);
  const first = size - leaves.length;
  const grown = new Map<string, Uint8Array>();
  const stored = readStoredHashes(tx, generation);
  const read: ReadHash = (level, index) => {
    const hash = grown.get(`${level}/${index}`);
    return hash === undefined ? stored(level, index) : Promise.resolve(hash);
  };
  const hashes: SubtreeHash[] = [];
  for (const [at, { bytes }] of rows.entries())
    for (const made of await growTree(first + at, hashLeaf(bytes), read)) {
      grown.set(`${made.level}/${made.index}`, made.hash);
      hashes.push(made);
    }
  await tx.query(
    `with leaf as (
       insert into log_leaves (generation, index, kind, leaf, entry, salt, subject, skill_id, version_id)
       select $1, $3 + l.at, l.kind, decode(l.leaf, 'hex'), l.entry, decode(l.salt, 'hex'), l.subject, l.skill_id, l.version_id
       from jsonb_to_recordset($4::jsonb) as l(at bigint, kind text, leaf text, entry text, salt text, subject text, skill_id bigint, version_id bigint)
     ) ${INSERT_HASHES}`,
    [generation, spellHashes(hashes), first, json(rows.map(({ bytes: _, ...row }, at) => ({ at, ...row })))],
  );
  return first;
}

/** The subject of a leaf, if it needs one: for each version of a private skill there is one, computed with the key of the log. */
type SubjectOf = (leaf: Pick<NewLeaf, 'entry' | 'isPrivate'>) => string | undefined;

async function openSubjects(
  tx: Queryable,
  registry: Registry,
  leaves: readonly NewLeaf[],
): Promise<SubjectOf> {
  if (!leaves.some(({ entry, isPrivate }) => isPrivate && entry.kind === 'version')) return () => undefined;
  const signer = await logSigner(tx, registry);
  const known = new Map<string, ReturnType<typeof subjectsOf>>();
  return ({ entry, isPrivate }) => {
    if (!isPrivate || entry.kind !== 'version') return undefined;
    const ofSkill = known.get(entry.name) ?? subjectsOf(entry.name, signer);
    known.set(entry.name, ofSkill);
    return ofSkill(entry.version);
  };
}

function spellLeaf({ entry: given, isPrivate, skillId, versionId }: NewLeaf, subjectOf: SubjectOf) {
  const entry = LogEntry.parse(given);
  const salt = isPrivate || entry.kind === 'owner' ? randomBytes(SALT_BYTES) : null;
  const subject = subjectOf({ entry, isPrivate });
  const bytes = leafOf({ entry, salt, subject });
  if (bytes.length > MAX_ENTRY_BYTES) throw new Failure('too_large', 'the entry is too long for the log');
  return {
    bytes,
    kind: entry.kind,
    leaf: Buffer.from(bytes).toString('hex'),
    entry: Buffer.from(spellEntry(entry)).toString(),
    salt: salt?.toString('hex') ?? null,
    subject: subject ?? null,
    skill_id: skillId ?? null,
    version_id: versionId ?? null,
  };
}
