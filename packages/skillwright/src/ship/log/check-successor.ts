// A log that lost its newest entries, such as one restored from a backup, must not sign its old origin again. It starts another
// one, `<name>/<number>`, whose first entry records the last checkpoint it still knows.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type Checkpoint, generationOf, type OpenedCheckpoint, openCheckpoint } from './checkpoint.ts';
import { hashLeaf } from './hash-node.ts';
import { parseLeaf } from './leaf.ts';
import type { LogKey } from './log-key.ts';
import { inclusionProof } from './make-proof.ts';
import type { ReadHash } from './subtree.ts';
import { verifyInclusion } from './verify-proof.ts';

/** The end of an origin that a later one replaced. */
export interface Succession {
  /** The last checkpoint of the origin before, as the new origin records it. */
  readonly recorded: OpenedCheckpoint;
  /** Leaves of the origin before that the registry no longer has, as far as the two checkpoints tell. */
  readonly lost: number;
}

/**
 * Checks a checkpoint of a later origin than the known one: its first leaf must record the end of an earlier origin of the same
 * key. Tell the user what was lost. Throws E231 when the origin is older than the known one, E232 or E233 when the record is
 * missing or wrong.
 */
export async function checkSuccessor({
  known,
  offered,
  firstLeaf,
  key,
  read,
}: {
  readonly known: Checkpoint;
  readonly offered: Checkpoint;
  /** The bytes of the leaf 0 of the offered log. */
  readonly firstLeaf: Uint8Array;
  readonly key: LogKey;
  readonly read: ReadHash;
}): Promise<Succession> {
  const before = generationOf(known.origin, key.name) ?? 0;
  const after = generationOf(offered.origin, key.name) ?? 0;
  if (after <= before) throw SkillwrightError.of('E231', { origin: offered.origin });
  const { size, root } = offered;
  const proof = size === 0 ? [] : await inclusionProof({ index: 0, size }, read);
  const entry = parseLeaf(firstLeaf);
  const isIn = verifyInclusion({ leaf: hashLeaf(firstLeaf), index: 0, size, proof, root });
  if (!isIn || entry?.kind !== 'origin') {
    throw SkillwrightError.of('E232', { what: `the record of the origin before ${offered.origin}` });
  }
  const recorded = openCheckpoint(entry.checkpoint, { key });
  const generation = generationOf(recorded.origin, key.name) ?? 0;
  if (recorded.origin !== entry.previous || generation < before || generation >= after) {
    throw SkillwrightError.of('E232', { what: `the record of the origin before ${offered.origin}` });
  }
  const reached = recorded.origin === known.origin ? Math.max(known.size, recorded.size) : recorded.size;
  return { recorded, lost: Math.max(0, reached - entry.kept) };
}
