// Adds the checksum of a skill to the published SKILL.md. The author's own file does not change.

import { isDeepStrictEqual } from 'node:util';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText } from '../../base/files/index.ts';
import {
  checksumOf,
  findRegistryField,
  isMapping,
  lineOfKey,
  NO_CHECKSUM,
  readChecksum,
  readFrontmatter,
} from '../../skill/format/index.ts';
import type { PackedFile } from './pack-skill.ts';

/** The files of a skill, with their checksum in SKILL.md. E014 when the frontmatter has no place for one. */
export function setChecksum(files: readonly PackedFile[]): PackedFile[] {
  const write = (checksum: string) =>
    files.map((file) =>
      file.path === 'SKILL.md' ? { ...file, bytes: Buffer.from(insert(file.bytes, checksum)) } : file,
    );
  return write(checksumOf(write(NO_CHECKSUM), NO_CHECKSUM));
}

function insert(bytes: Uint8Array, checksum: string): string {
  const { text } = decodeText(bytes);
  const before = readFrontmatter(text);
  const data = before.data ?? {};
  const lines = text.split(/(?<=\n)/);
  const end = /\r?\n$/.exec(lines[0]!)?.[0] ?? '\n';
  const field = `checksum: "${checksum}"${end}`;
  const known = findRegistryField(data, 'checksum');
  const line = known === undefined ? undefined : lineOfKey(before, known.path);
  const first = isMapping(data.metadata) ? Object.keys(data.metadata)[0] : undefined;
  const child = first === undefined ? undefined : lineOfKey(before, ['metadata', first]);
  const indent = child === undefined ? '' : /^[ ]*/.exec(lines[child - 1]!)![0];
  if (line !== undefined) lines.splice(line - 1, 1, /^[ ]*/.exec(lines[line - 1]!)![0] + field);
  else if (child !== undefined && indent !== '') lines.splice(child - 1, 0, indent + field);
  else if (data.metadata === undefined) lines.splice(before.bodyLine - 2, 0, `metadata:${end}  ${field}`);
  else lines.splice(before.bodyLine - 2, 0, field);
  const changed = lines.join('');
  const after = readFrontmatter(changed).data;
  if (after !== undefined && readChecksum(after) === checksum && isDeepStrictEqual(strip(data), strip(after)))
    return changed;
  const why = 'no checksum can be written into it; give `metadata` a line for each of its fields';
  throw SkillwrightError.of('E014', { path: 'SKILL.md', why });
}

/** The fields except the checksum. */
function strip(data: Readonly<Record<string, unknown>>): unknown {
  const { checksum: _, metadata, ...rest } = data;
  if (!isMapping(metadata)) return { ...rest, metadata: metadata ?? {} };
  const { checksum: __, ...others } = metadata;
  return { ...rest, metadata: others };
}
