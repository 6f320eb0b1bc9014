// Compares the checkpoint a log offers with the one you know.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type Checkpoint, generationOf, type OpenedCheckpoint, openCheckpoint } from './checkpoint.ts';
import { parseLeaf } from './leaf.ts';
import type { LogKey } from './log-key.ts';
import { consistencyProof, inclusionProof } from './log-proof.ts';
import { hashLeaf, isSameHash, type ReadHash, rootOf, splitPoint } from './subtree.ts';
import { rootsOfConsistency, verifyInclusion } from './verify-proof.ts';

/** How an offered checkpoint relates to a known one. `older`: smaller, but of the same past. */
type Advance = 'same' | 'newer' | 'older' | 'fork';

/**
 * Compares two checkpoints of one origin. `read` reads the larger of the two trees, as the log serves it. `fork` and `older`
 * are proved. Throws E232 when the log's tiles do not lead to the larger checkpoint, and passes on what `read` throws: refuse
 * the log then too.
 */
export async function checkAdvance({
  known,
  offered,
  read,
}: {
  readonly known: Checkpoint | undefined;
  readonly offered: Checkpoint;
  readonly read: ReadHash;
}): Promise<Advance> {
  if (known === undefined) return 'newer';
  if (known.origin !== offered.origin) {
    throw SkillwrightError.of('E232', { what: `${offered.origin} is not ${known.origin}` });
  }
  if (known.size === offered.size) return isSameHash(known.root, offered.root) ? 'same' : 'fork';
  const isNewer = offered.size > known.size;
  const [smaller, larger] = isNewer ? [known, offered] : [offered, known];
  const roots = rootsOfConsistency({
    oldSize: smaller.size,
    // A tree of 2^n leaves is a node of the larger one. Read it there, or a fork would look like a damaged tile.
    oldRoot: isPowerOfTwo(smaller.size) ? await rootOf(smaller.size, read) : smaller.root,
    size: larger.size,
    root: larger.root,
    proof: await consistencyProof({ oldSize: smaller.size, size: larger.size }, read),
  });
  if (roots === undefined || !isSameHash(roots.new, larger.root)) {
    throw SkillwrightError.of('E232', { what: `the tiles of ${offered.origin}` });
  }
  if (!isSameHash(roots.old, smaller.root)) return 'fork';
  return isNewer ? 'newer' : 'older';
}

function isPowerOfTwo(size: number): boolean {
  return size === 1 || (size > 1 && splitPoint(size) * 2 === size);
}

/**
 * The end of an origin that a later one replaced. A log that lost its newest entries, such as one restored from a backup,
 * must not sign its old origin again. It starts another one, `<name>/<number>`, whose first entry records the last
 * checkpoint it still knows.
 */
interface Succession {
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
