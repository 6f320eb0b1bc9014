// The files of a skill besides its SKILL.md.

import { join, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, listFiles, realPath, resolveInside, resolvePart } from '../../base/files/index.ts';
import type { SkillReference } from '../../read/access/index.ts';
import { neutralise, type SkillRecord } from '../../read/catalog/index.ts';
import { pageText, pathInside, plainPath, readTextFile, type TextPage } from '../../read/gateway/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { GuardedSkill } from './skill-guard.ts';

/** Which file of which skill to read, and which part of it. */
export interface ResourceRequest extends SkillReference {
  /** Relative to the skill, or as a loaded skill lists it; of a directory the files are listed. */
  readonly file: string;
  /** Bytes to skip: 0, or the `next_offset` of the part before. */
  readonly offset?: number | undefined;
  /** Most bytes; no more than the session gives at once. */
  readonly limit?: number | undefined;
}

/** One text file of a skill, or a part of it; of a directory the paths of its files, one a line. */
export interface SkillResource extends TextPage {
  /** Relative to the skill, as it was asked for. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

/** The part of a file to read. */
export interface ResourcePart extends Pick<ResourceRequest, 'offset' | 'limit'> {
  readonly maxBytes: number;
}

/**
 * Reads a text file of a skill. E012 when the path leads out, E021 when there is no such file, E015 when it is not text.
 * SKILL.md is loaded, not read: its frontmatter may hold what the model must not see.
 */
function readResource({ dir }: Pick<SkillRecord, 'dir'>, path: string, part: ResourcePart): SkillResource {
  if (resolveInside(dir, path) === realPath(join(dir, SKILL_FILE)))
    throw SkillwrightError.of('E021', { file: path }, { help: 'load the skill to get its SKILL.md' });
  return { path, kind: 'file', ...cut(readTextFile(dir, path), part) };
}

/** Reads a file as text for the model, or lists a directory, as far as both may be given. E062 when a quiz closes it. */
export async function readGuarded(
  guarded: GuardedSkill,
  file: string,
  part: ResourcePart,
): Promise<SkillResource> {
  const { skill, reach } = guarded;
  const inside = relativePath(skill, file);
  const directory = directoryIn(skill, inside);
  if (directory !== undefined) {
    const files = listResources(skill, directory).filter(await allowedFiles(guarded));
    return forModel(listAsText(inside, files, part));
  }
  const resource = readResource(skill, inside, part);
  const place = pathInside(skill.dir, inside);
  const { allowsFile, refusal } = await reach([place]);
  if (!allowsFile(place)) throw refusal(skill.name, place);
  return forModel(resource);
}

const forModel = (resource: SkillResource) => ({ ...resource, content: neutralise(resource.content) });

/** The names of the files that may be given. */
export async function allowedFiles({ skill, reach }: GuardedSkill): Promise<(path: string) => boolean> {
  return (await reach(listFiles(skill.dir))).allowsName;
}

/** A loaded skill lists its files by their whole paths, so those are understood too; no other absolute path is. */
export function relativePath({ dir }: Pick<SkillRecord, 'dir'>, path: string): string {
  return path.startsWith(dir + sep) ? path.slice(dir.length + 1) : path;
}

/** The directory of a skill that a path means, with `/` at its end and empty for the skill itself; undefined for a file. */
function directoryIn({ dir }: Pick<SkillRecord, 'dir'>, path: string): string | undefined {
  if (path === '') return undefined;
  const real = path === '.' ? realPath(dir) : resolvePart(dir, plainPath(path));
  if (real === undefined || !isDirectory(real)) return undefined;
  const inside = real === realPath(dir) ? '' : pathInside(dir, path);
  return inside === '' ? '' : `${inside}/`;
}

/** The files of a directory as a text. E021 when there are none that may be named. */
function listAsText(path: string, files: readonly string[], part: ResourcePart): SkillResource {
  if (files.length === 0)
    throw SkillwrightError.of('E021', { file: path }, { help: 'the directory has no files' });
  return { path, kind: 'directory', ...cut(`${files.join('\n')}\n`, { ...part, atLines: true }) };
}

const cut = (
  text: string,
  { maxBytes, offset, limit = maxBytes, ...how }: ResourcePart & { atLines?: true },
) => pageText(text, { offset, limit: Math.min(limit, maxBytes), ...how });

/** The paths of the files of a skill, or of one directory of it, in bytewise order; SKILL.md is none of them. */
export function listResources({ dir }: Pick<SkillRecord, 'dir'>, directory = ''): string[] {
  const prefix = directory === '' ? '' : `${directory.replace(/\/+$/, '')}/`;
  return listFiles(dir).filter((path) => path !== SKILL_FILE && path.startsWith(prefix));
}
