// First passes of a compilation: what the author wrote, and whether it stays inside its directory.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { sha256, type TreeEntry, walkTree } from '../../base/files/index.ts';
import { type Frontmatter, readFrontmatter, readSkillText } from '../../skill/format/index.ts';
import { readBuildManifest } from '../../skill/places/index.ts';

/** A skill as its author wrote it. */
export interface SkillSource {
  /** Canonical directory. */
  readonly dir: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: Frontmatter;
  /** Of SKILL.md as it was read. */
  readonly sha256: string;
}

/**
 * Reads SKILL.md. E010, E014 and E011 when it is missing, unreadable or incomplete; E012 when its name is no name; E001
 * for a stub, which is the source of nothing.
 */
export function readSource(dir: string): SkillSource {
  const path = join(dir, 'SKILL.md');
  const compiled = readBuildManifest(dir);
  if (compiled !== undefined) {
    const help = `'${dir}' is compiled and its source is gone; 'skc clean ${compiled.skill}' removes it`;
    throw SkillwrightError.of('E001', { skill: compiled.skill }, { help });
  }
  const content = readSkillText(dir);
  if (content.problem !== undefined) throw SkillwrightError.of('E014', { path, why: content.problem });
  const frontmatter = readFrontmatter(content.text);
  if (frontmatter.data === undefined) throw unreadable(path, frontmatter);
  const name = requireText(frontmatter.data, 'name');
  const description = requireText(frontmatter.data, 'description');
  checkDirectoryName(name, path);
  return { dir, name, description, frontmatter, sha256: sha256(content.text) };
}

/** E012 when a link inside the skill leads out of it or round in a circle; E015 when a part cannot be read. */
export function checkPaths(dir: string): readonly TreeEntry[] {
  const { entries, truncated } = walkTree(dir);
  for (const { path, kind, why } of entries) {
    if (kind === 'escape') throw SkillwrightError.of('E012', { path });
    if (kind === 'unreadable')
      throw SkillwrightError.of('E015', { path: path || dir, why: why ?? 'unreadable' });
  }
  if (truncated)
    throw SkillwrightError.of('E015', { path: dir, why: 'too many files, or too deeply nested' });
  return entries;
}

function unreadable(path: string, { problems }: Frontmatter): SkillwrightError {
  const problem = problems[0];
  if (problem?.kind === 'missing')
    return SkillwrightError.of('E011', { field: 'name' }, { help: problem.message });
  return SkillwrightError.of('E014', {
    path,
    why: `${problem?.message ?? 'unknown'}, line ${problem?.line ?? 1}`,
  });
}

function requireText(data: Readonly<Record<string, unknown>>, field: 'name' | 'description'): string {
  const value = data[field];
  if (typeof value !== 'string' || value.trim() === '') throw SkillwrightError.of('E011', { field });
  return value;
}

/** Devices on Windows, with any ending. */
const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name becomes a directory: one segment, visible, without anything a file system or a shell stumbles over. */
function checkDirectoryName(name: string, path: string): void {
  if (/[\\/]/.test(name) || name === '.' || name === '..') throw SkillwrightError.of('E012', { path: name });
  const isUsable = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,127}$/u.test(name) && !/[. ]$/.test(name);
  if (!isUsable || reservedNames.test(name)) {
    throw SkillwrightError.of('E014', { path, why: `name '${name}' cannot be the name of a directory` });
  }
}
