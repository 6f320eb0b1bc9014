// Writes a field that a registry reads into the text of a SKILL.md.

import { isDeepStrictEqual } from 'node:util';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText } from '../../base/files/index.ts';
import {
  checksumOf,
  findRegistryField,
  isMapping,
  lineOfKey,
  NO_CHECKSUM,
  readFrontmatter,
} from '../../skill/format/index.ts';
import type { PackedFile } from './pack-skill.ts';

/** A field that publishing writes. All but the licence may be in `metadata`. */
type InsertedField = 'checksum' | 'version' | 'author' | 'tags' | 'license';

/** The files of a skill, with a field in SKILL.md. E014 when the frontmatter has no place for it. */
export function insertField(files: readonly PackedFile[], field: InsertedField, value: string): PackedFile[] {
  return files.map((file) =>
    file.path === 'SKILL.md'
      ? { ...file, bytes: Buffer.from(insertText(decodeText(file.bytes).text, field, value)) }
      : file,
  );
}

/** The text of a SKILL.md with a field. E014 when the frontmatter has no place for it. */
export function insertText(text: string, name: InsertedField, value: string): string {
  const before = readFrontmatter(text);
  const data = before.data ?? {};
  const lines = text.split(/(?<=\n)/);
  const end = /\r?\n$/.exec(lines[0]!)?.[0] ?? '\n';
  const field = `${name}: "${value}"${end}`;
  const known = findRegistryField(data, name);
  const line = known === undefined ? undefined : lineOfKey(before, known.path);
  const first = isMapping(data.metadata) ? Object.keys(data.metadata)[0] : undefined;
  const child = first === undefined ? undefined : lineOfKey(before, ['metadata', first]);
  const indent = child === undefined ? '' : /^[ ]*/.exec(lines[child - 1]!)![0];
  if (name === 'license') lines.splice(before.bodyLine - 2, 0, field);
  else if (line !== undefined) lines.splice(line - 1, 1, /^[ ]*/.exec(lines[line - 1]!)![0] + field);
  else if (child !== undefined && indent !== '') lines.splice(child - 1, 0, indent + field);
  else if (data.metadata === undefined) lines.splice(before.bodyLine - 2, 0, `metadata:${end}  ${field}`);
  else lines.splice(before.bodyLine - 2, 0, field);
  const changed = lines.join('');
  const after = readFrontmatter(changed).data;
  if (
    after !== undefined &&
    (name === 'license' ? after.license : findRegistryField(after, name)?.value) === value &&
    isDeepStrictEqual(without(data, name), without(after, name))
  )
    return changed;
  const why = `no ${name} can be written into it; give \`metadata\` a line for each of its fields`;
  throw SkillwrightError.of('E014', { path: 'SKILL.md', why });
}

/** The fields except one. */
function without(data: Readonly<Record<string, unknown>>, name: InsertedField): unknown {
  const { [name]: _, metadata, ...rest } = data;
  if (!isMapping(metadata)) return { ...rest, metadata: metadata ?? {} };
  const { [name]: __, ...others } = metadata;
  return { ...rest, metadata: others };
}

/** The files of a skill, with their checksum in SKILL.md. E014 when the frontmatter has no place for one. */
export function setChecksum(files: readonly PackedFile[]): PackedFile[] {
  const write = (checksum: string) => insertField(files, 'checksum', checksum);
  return write(checksumOf(write(NO_CHECKSUM), NO_CHECKSUM));
}
