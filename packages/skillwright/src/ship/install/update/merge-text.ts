// Two versions of a text that started from one: both changes, where they do not touch the same lines.

import { diff3Merge } from 'node-diff3';
import { decodeText } from '../../../base/files/index.ts';

/** Comparing costs more than lines times lines at worst; what is longer is for its author to merge. */
const MAX_MERGE_BYTES = 2 * 1024 * 1024;

/** The three versions of one file. */
export interface MergeInput {
  readonly base: Buffer;
  readonly mine: Buffer;
  readonly theirs: Buffer;
}

/** The merged text; undefined when both changed the same lines, or when it is no text. Line ends stay as they are. */
export function mergeText({ base, mine, theirs }: MergeInput): Buffer | undefined {
  if (mine.equals(theirs) || theirs.equals(base)) return mine;
  if (mine.equals(base)) return theirs;
  const versions = [mine, base, theirs].map(linesOf);
  const [a, o, b] = versions;
  if (a === undefined || o === undefined || b === undefined) return undefined;
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: true });
  const merged: string[] = [];
  for (const { ok } of regions) {
    if (ok === undefined) return undefined;
    merged.push(...ok);
  }
  return Buffer.from(merged.join(''));
}

/** Lines with their ends, so that a missing last one is a difference like any other. */
function linesOf(bytes: Buffer): string[] | undefined {
  const { text, valid, binary } = decodeText(bytes);
  if (bytes.length > MAX_MERGE_BYTES || binary || !valid) return undefined;
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
