// Compares the checkpoint a log offers with the one you know.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Checkpoint } from './checkpoint.ts';
import { isSameHash } from './hash-node.ts';
import { consistencyProof } from './make-proof.ts';
import { type ReadHash, rootOf, splitPoint } from './subtree.ts';
import { rootsOfConsistency } from './verify-proof.ts';

/** How an offered checkpoint relates to a known one. `older`: smaller, but of the same past. */
export type Advance = 'same' | 'newer' | 'older' | 'fork';

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
