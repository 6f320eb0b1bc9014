// Tells the kinds of archive apart by their first bytes, and refuses those that must not be unpacked.

import { SkillwrightError } from '../diagnostics/index.ts';

/** The first block of a tar file, which is longer than the signatures of the other formats. */
const HEADER_BYTES = 512;

/** The format of an archive by its first bytes, at least 512 for tar; undefined for any other file. */
export function archiveFormat(head: Buffer): 'zip' | 'gzip' | 'tar' | undefined {
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head.toString('latin1', 0, 4))) return 'zip';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.length >= HEADER_BYTES && head.toString('latin1', 257, 262) === 'ustar' ? 'tar' : undefined;
}

/** E205 with the reason. */
export function unsafeArchive(why: string, cause?: unknown): SkillwrightError {
  return SkillwrightError.of('E205', { why }, cause === undefined ? {} : { cause });
}
