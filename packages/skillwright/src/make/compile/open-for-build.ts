// First passes of a compilation: opens the source, and checks that it stays inside its directory.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type Tree, type TreeEntry, walkTree } from '../../base/files/index.ts';
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
