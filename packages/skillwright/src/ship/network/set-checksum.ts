// Adds the checksum of a skill to the published SKILL.md.

import { checksumOf, NO_CHECKSUM } from '../../skill/format/index.ts';
import { insertField } from './insert-field.ts';
import type { PackedFile } from './pack-skill.ts';

/** The files of a skill, with their checksum in SKILL.md. E014 when the frontmatter has no place for one. */
export function setChecksum(files: readonly PackedFile[]): PackedFile[] {
  const write = (checksum: string) => insertField(files, 'checksum', checksum);
  return write(checksumOf(write(NO_CHECKSUM), NO_CHECKSUM));
}
