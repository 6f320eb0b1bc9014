// The files of a skill besides its SKILL.md.

import { join } from 'node:path';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import { listFiles, realPath, resolveInside } from '../../base/files/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { readTextFile } from '../../read/gateway/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';

/** Which file of which skill to read, and which part of it. */
export interface ResourceRequest extends SkillReference {
  /** Relative to the skill, or as a loaded skill lists it. */
  readonly file: string;
  /** Bytes to skip: 0, or the `next_offset` of the part before. */
  readonly offset?: number | undefined;
  /** Most bytes; no more than the session gives at once. */
  readonly limit?: number | undefined;
}

/** One text file of a skill, or a part of it. */
export interface SkillResource {
  /** Relative to the skill, as it was asked for. */
  readonly path: string;
  readonly content: string;
  /** Where this part begins, in bytes. */
  readonly offset: number;
  /** Bytes of the whole file. */
  readonly size: number;
  /** True when the file goes on. */
  readonly truncated: boolean;
  /** Read on from here; null at the end of the file. */
  readonly next_offset: number | null;
}

/**
 * Reads a text file of a skill. E012 when the path leads out, E021 when there is no such file, E015 when it is not text.
 * SKILL.md is loaded, not read: its frontmatter may hold what the model must not see.
 */
export function readResource(
  { dir }: Pick<SkillRecord, 'dir'>,
  path: string,
  { maxBytes, offset = 0, limit = maxBytes }: ResourcePart,
): SkillResource {
  if (resolveInside(dir, path) === realPath(join(dir, SKILL_FILE)))
    throw SkillwrightError.of('E021', { file: path }, { help: 'load the skill to get its SKILL.md' });
  for (const [name, value] of Object.entries({ offset, limit }))
    if (!Number.isSafeInteger(value) || value < (name === 'limit' ? 1 : 0))
      throw invalidOption(`${name} must be a whole number of bytes`);
  const bytes = Buffer.from(readTextFile(dir, path));
  const start = characterStart(bytes, Math.min(offset, bytes.length));
  const most = characterStart(bytes, Math.min(start + Math.min(limit, maxBytes), bytes.length));
  // A part holds one character at least, so that reading on comes to an end.
  const end = most > start ? most : nextCharacter(bytes, start);
  const truncated = end < bytes.length;
  return {
    path,
    content: bytes.subarray(start, end).toString('utf8'),
    offset: start,
    size: bytes.length,
    truncated,
    next_offset: truncated ? end : null,
  };
}

/** The part of a file to read. */
export interface ResourcePart extends Pick<ResourceRequest, 'offset' | 'limit'> {
  readonly maxBytes: number;
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The place itself, or the start of the character around it. */
function characterStart(bytes: Uint8Array, place: number): number {
  let start = place;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return start;
}

function nextCharacter(bytes: Uint8Array, place: number): number {
  let next = Math.min(place + 1, bytes.length);
  while (isContinuation(bytes[next])) next += 1;
  return next;
}

/** The paths of the files of a skill, or of one directory of it, in bytewise order; SKILL.md is none of them. */
export function listResources({ dir }: Pick<SkillRecord, 'dir'>, directory = ''): string[] {
  const prefix = directory === '' ? '' : `${directory.replace(/\/+$/, '')}/`;
  return listFiles(dir).filter((path) => path !== SKILL_FILE && path.startsWith(prefix));
}
