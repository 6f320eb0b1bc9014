// `checksum`: publishing writes it into SKILL.md, and installing checks the files against it.

import { hashTree, sha256 } from '../../base/files/index.ts';
import { textOfRegistryField } from './registry-field.ts';

/** A file of a skill, by its relative path. */
interface SummedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const CHECKSUM = /^sha256:([0-9a-f]{64})$/;

/** Placeholder for a checksum that is not computed yet. */
export const NO_CHECKSUM = `sha256:${'0'.repeat(64)}`;

/** Whether a text is a checksum in the form publishing writes. */
export function isChecksum(text: string): boolean {
  return CHECKSUM.test(text);
}

/** The checksum in a frontmatter; undefined when absent or malformed. */
export function readChecksum(data: Readonly<Record<string, unknown>>): string | undefined {
  const text = textOfRegistryField(data, 'checksum');
  return text !== undefined && isChecksum(text) ? text : undefined;
}

/**
 * Checksum of a skill: SHA-256 over the paths and the SHA-256 of all its files, with the digits of the checksum in
 * SKILL.md replaced by zeros.
 */
export function checksumOf(files: Iterable<SummedFile>, declared: string): string {
  const entries = [...files].map(({ path, bytes }) => ({
    path,
    sha256: sha256(path === 'SKILL.md' ? blank(bytes, declared) : bytes),
  }));
  return `sha256:${hashTree(entries)}`;
}

/** The bytes with the first checksum replaced by zeros. */
function blank(bytes: Uint8Array, declared: string): Uint8Array {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(declared, 0, 'latin1');
  if (at !== -1) copy.write(NO_CHECKSUM, at, 'latin1');
  return copy;
}
