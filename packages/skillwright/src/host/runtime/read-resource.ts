// The files of a skill besides its SKILL.md.

import { realpathSync } from 'node:fs';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside, resolveInside, walkTree } from '../../base/files/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { isDirectory, SKILL_FILE } from '../../skill/places/index.ts';

/** One text file of a skill. */
export interface SkillResource {
  /** Relative to the skill, as it was asked for. */
  readonly path: string;
  readonly content: string;
  /** True when the file goes on. */
  readonly truncated: boolean;
}

/**
 * Reads a text file of a skill. The path is checked as it is spelled and again after links are resolved: E012. E021
 * when there is no such file, E015 when it is no text. SKILL.md is loaded, not read: its frontmatter may hold what the
 * model must not see.
 */
export function readResource(
  skill: SkillRecord,
  path: string,
  { maxBytes }: { readonly maxBytes: number },
): SkillResource {
  const real = resolveInside(skill.dir, path);
  if (real === undefined || path === '' || isDirectory(real))
    throw SkillwrightError.of('E021', { file: path });
  if (real === realManifest(skill))
    throw SkillwrightError.of('E021', { file: path }, { help: 'load the skill to get its SKILL.md' });
  const bytes = readInside(skill.dir, path, { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw SkillwrightError.of('E021', { file: path });
  const { text, valid, binary } = decodeText(bytes);
  if (binary || !valid) {
    const why = binary ? 'it is a binary file' : 'it is not UTF-8 text';
    throw SkillwrightError.of('E015', { path, why }, { help: 'only text files can be read' });
  }
  if (bytes.length <= maxBytes) return { path, content: text, truncated: false };
  const cut = bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return { path, content: cut, truncated: true };
}

/** The paths of the files of a skill, or of one directory of it, in bytewise order; SKILL.md is none of them. */
export function listResources(skill: SkillRecord, directory = ''): string[] {
  const prefix = directory === '' ? '' : `${directory.replace(/\/+$/, '')}/`;
  return walkTree(skill.dir).entries.flatMap(({ path, kind }) =>
    kind === 'file' && path !== SKILL_FILE && path.startsWith(prefix) ? [path] : [],
  );
}

function realManifest(skill: SkillRecord): string {
  try {
    return realpathSync.native(skill.path);
  } catch {
    // Gone: then nothing can be mistaken for it.
    return skill.path;
  }
}
