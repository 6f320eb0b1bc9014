// Proofs of the log: their text, making them, and checking one.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { openCheckpoint, parseTreeNumber } from './checkpoint.ts';
import { leafOf, parseOpening } from './leaf.ts';
import type { LogKey } from './log-key.ts';
import { decodeBase64, malformed } from './log-text.ts';
import { hashLeaf, hashRange, isHash, type LeafRange, type ReadHash, splitPoint } from './subtree.ts';
import { verifyInclusion } from './verify-proof.ts';

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** No tree with a size we can count is deeper. */
const MAX_HASHES = 64;

/** A proof that an entry is in a log. */
interface LogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint as a signed note. */
  readonly checkpoint: string;
  /** More data for the reader. No signature covers it. */
  readonly extra?: Uint8Array | undefined;
}

/** The text of a proof. */
export function spellProof({ index, hashes, checkpoint, extra }: LogProof): string {
  const lines = [
    FIRST_LINE,
    ...(extra === undefined ? [] : [`extra ${Buffer.from(extra).toString('base64')}`]),
    `index ${index}`,
    ...hashes.map((hash) => Buffer.from(hash).toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Reads the text of a proof. Throws E233. It checks the form only. */
export function parseProof(text: string): LogProof {
  const cut = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(0, cut)).split('\n');
  if (cut === -1 || first !== FIRST_LINE) throw malformed(`a log proof starts with ${FIRST_LINE}`);
  const extra = lines[0]?.startsWith('extra ')
    ? decodeBase64(lines.shift()!.slice('extra '.length))
    : undefined;
  const hadExtra = text.startsWith(`${FIRST_LINE}\nextra `);
  if (hadExtra && extra === undefined) throw malformed('the extra data of a log proof is not Base64');
  const index = lines.shift();
  if (!index?.startsWith('index ')) throw malformed('a log proof has no index');
  if (lines.length > MAX_HASHES) throw malformed(`a log proof has ${lines.length} hashes`);
  const hashes = lines.map((line) => {
    const hash = decodeBase64(line);
    if (hash === undefined || !isHash(hash)) throw malformed('a log proof has a line that is not a hash');
    return hash;
  });
  const proof = {
    index: parseTreeNumber(index.slice('index '.length)),
    hashes,
    checkpoint: text.slice(cut + 2),
  };
  return extra === undefined ? proof : { ...proof, extra };
}

/** Hashes that prove that the leaf `index` is in the tree of `size` leaves; its neighbour first. */
export async function inclusionProof(
  { index, size }: { readonly index: number; readonly size: number },
  read: ReadHash,
): Promise<Uint8Array[]> {
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const cut = start + splitPoint(end - start);
    if (index < cut) {
      ranges.unshift({ start: cut, end });
      end = cut;
    } else {
      ranges.unshift({ start, end: cut });
      start = cut;
    }
  }
  return Promise.all(ranges.map((range) => hashRange(range, read)));
}

/** Hashes that prove that the first `oldSize` leaves of the tree of `size` leaves are the tree of that size. */
export async function consistencyProof(
  { oldSize, size }: { readonly oldSize: number; readonly size: number },
  read: ReadHash,
): Promise<Uint8Array[]> {
  if (oldSize === 0 || oldSize === size) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end !== oldSize) {
    const cut = start + splitPoint(end - start);
    if (oldSize <= cut) {
      ranges.unshift({ start: cut, end });
      end = cut;
    } else {
      ranges.unshift({ start, end: cut });
      start = cut;
    }
  }
  // The verifier has the old root. Where that is not a node of the new tree, it needs the node the descent ended at.
  if (start > 0) ranges.unshift({ start, end });
  return Promise.all(ranges.map((range) => hashRange(range, read)));
}

/** An entry that is in a log. */
export type ProvedEntry = ReturnType<typeof checkProof>;

/**
 * Checks a proof file with the log's key, and returns the entry it proves. Compare that with what you have. A private leaf of a version
 * must carry the subject that the key has for it. Throws E230 when the checkpoint has no signature of the key, E232 when the proof does not lead to it, E233 when the text is not a proof.
 */
export function checkProof(
  text: string,
  { key, witnesses = [] }: { readonly key: LogKey; readonly witnesses?: readonly LogKey[] },
) {
  const { index, hashes, checkpoint: note, extra } = parseProof(text);
  const checkpoint = openCheckpoint(note, { key, witnesses });
  const opening = parseOpening(extra ?? new Uint8Array(), key);
  const { size, root } = checkpoint;
  const leaf = hashLeaf(leafOf(opening));
  if (!verifyInclusion({ leaf, index, size, proof: hashes, root })) {
    throw SkillwrightError.of('E232', { what: `entry ${index} of ${checkpoint.origin}` });
  }
  return {
    entry: opening.entry,
    index,
    /** Whether the leaf hides the entry from those who only read the log. */
    isPrivate: opening.salt !== null,
    checkpoint,
  };
}
