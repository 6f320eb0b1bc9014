// First passes of a compilation: opens the source, checks that it stays inside its directory, and copies it.

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { readInside, type Tree, type TreeEntry, walkTree } from '../../base/files/index.ts';
import { openSkill, readBuildManifest, requireUsable, type Skill } from '../../skill/skill/index.ts';

/**
 * The skill in `dir`, ready to be compiled. E010, E014 and E011 if its SKILL.md is missing, unreadable or incomplete;
 * E001 for a stub, which has no source of its own.
 */
export function openForBuild(dir: string): Skill {
  const compiled = readBuildManifest(dir);
  if (compiled !== undefined) {
    const help = `'${dir}' is compiled and its source is gone; 'skc clean ${compiled.skill}' removes it`;
    throw SkillwrightError.of('E001', { skill: compiled.skill }, { help });
  }
  return requireUsable(openSkill(dir));
}

/** E012 if a link inside the skill leads out of it or in a circle; E015 if a part cannot be read. */
export function checkPaths(dir: string, { entries, truncated }: Tree = walkTree(dir)): readonly TreeEntry[] {
  for (const { path, kind, why } of entries) {
    if (kind === 'escape') throw SkillwrightError.of('E012', { path });
    if (kind === 'unreadable')
      throw SkillwrightError.of('E015', { path: path || dir, why: why ?? 'unreadable' });
  }
  if (truncated)
    throw SkillwrightError.of('E015', { path: dir, why: 'too many files, or too deeply nested' });
  return entries;
}

/** Replaces links by their targets; opens each file so that a link swapped in meanwhile cannot lead out. */
export function copyEntries(from: string, to: string, entries: readonly TreeEntry[]): void {
  for (const { path, kind } of entries) {
    if (kind === 'directory') mkdirSync(join(to, path), { recursive: true });
    if (kind !== 'file') continue;
    const bytes = readInside(from, path, { maxBytes: Number.MAX_SAFE_INTEGER });
    if (bytes !== undefined)
      writeFileSync(join(to, path), bytes, { mode: statSync(join(from, path)).mode & 0o777 });
  }
}
