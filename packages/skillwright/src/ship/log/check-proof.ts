// Checks that an entry is in a log, offline.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { LogEntry } from '../protocol/index.ts';
import { type OpenedCheckpoint, openCheckpoint } from './checkpoint.ts';
import { hashLeaf } from './hash-node.ts';
import { leafOf, parseOpening } from './leaf.ts';
import type { LogKey } from './log-key.ts';
import { parseProof } from './log-proof.ts';
import { verifyInclusion } from './verify-proof.ts';

/** An entry that is in a log. */
export interface ProvedEntry {
  readonly entry: LogEntry;
  readonly index: number;
  readonly checkpoint: OpenedCheckpoint;
}

/**
 * Checks a proof file with the log's key, and returns the entry it proves. Compare that with what you have. Throws E230 when
 * the checkpoint has no signature of the key, E232 when the proof does not lead to it, E233 when the text is not a proof.
 */
export function checkProof(
  text: string,
  { key, witnesses = [] }: { readonly key: LogKey; readonly witnesses?: readonly LogKey[] },
): ProvedEntry {
  const { index, hashes, checkpoint: note, extra } = parseProof(text);
  const checkpoint = openCheckpoint(note, { key, witnesses });
  const opening = parseOpening(extra ?? new Uint8Array());
  const { size, root } = checkpoint;
  const leaf = hashLeaf(leafOf(opening));
  if (!verifyInclusion({ leaf, index, size, proof: hashes, root })) {
    throw SkillwrightError.of('E232', { what: `entry ${index} of ${checkpoint.origin}` });
  }
  return { entry: opening.entry, index, checkpoint };
}
