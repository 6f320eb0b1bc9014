// The files of a skill besides its SKILL.md.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { listFiles, realPath, resolveInside } from '../../base/files/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { readTextFile } from '../../read/gateway/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';

/** One text file of a skill. */
export interface SkillResource {
  /** Relative to the skill, as it was asked for. */
  readonly path: string;
  readonly content: string;
  /** True when the file goes on. */
  readonly truncated: boolean;
}

/**
 * Reads a text file of a skill. E012 when the path leads out, E021 when there is no such file, E015 when it is not text.
 * SKILL.md is loaded, not read: its frontmatter may hold what the model must not see.
 */
export function readResource(
  { dir }: Pick<SkillRecord, 'dir'>,
  path: string,
  { maxBytes }: { readonly maxBytes: number },
): SkillResource {
  if (resolveInside(dir, path) === realPath(join(dir, SKILL_FILE)))
    throw SkillwrightError.of('E021', { file: path }, { help: 'load the skill to get its SKILL.md' });
  const text = readTextFile(dir, path);
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { path, content: text, truncated: false };
  const cut = bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return { path, content: cut, truncated: true };
}

/** The paths of the files of a skill, or of one directory of it, in bytewise order; SKILL.md is none of them. */
export function listResources({ dir }: Pick<SkillRecord, 'dir'>, directory = ''): string[] {
  const prefix = directory === '' ? '' : `${directory.replace(/\/+$/, '')}/`;
  return listFiles(dir).filter((path) => path !== SKILL_FILE && path.startsWith(prefix));
}
