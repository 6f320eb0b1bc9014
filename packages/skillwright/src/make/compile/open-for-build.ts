// First passes of a compilation: opens the source, checks that it stays inside its directory, copies it, and decides
// whether a build may write into the runtime directory: only if it is free, or skc made it from this skill.

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  canonicalPath,
  movePath,
  readInside,
  statusAt,
  type Tree,
  type TreeEntry,
  walkTree,
  writeError,
} from '../../base/files/index.ts';
import {
  type BuildManifest,
  hasSkillFile,
  openSkill,
  type RuntimeBase,
  readBuildManifest,
  readSourcePath,
  requireUsable,
  type Skill,
} from '../../skill/skill/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import { backupPlace } from './occupant.ts';

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

/** Data directories of other tools in their runtime directories. */
const FOREIGN_DIRECTORY = '.skillc-meta';

/**
 * E013 if `runtime` belongs to another skill or was not made by skc. With `force`, takes over the one of another skill, and
 * moves aside anything skc did not make: returns its new path, if any, and the manifest of the last build.
 */
export function claimRuntime(
  source: Skill,
  runtime: string,
  options: { home: string; force: boolean; now: Date; base: RuntimeBase; imported?: string | undefined },
): { backup: string | null; manifest: BuildManifest | undefined } {
  const manifest = readBuildManifest(runtime);
  if (isForeignRuntime(runtime, manifest)) {
    if (!options.force) {
      const help =
        'skc did not make it; move it away, or use --force, which backs it up under .skillc/backups';
      throw SkillwrightError.of('E013', { path: runtime }, { help });
    }
    try {
      const { home, now, base } = options;
      const backup = backupPlace(runtime, { home, now, project: base.project });
      movePath(runtime, backup);
      return { backup, manifest: undefined };
    } catch (error) {
      throw writeError(runtime, error);
    }
  }
  const known = { backup: null, manifest };
  if (manifest === undefined || options.force) return known;
  // Two skills with one name would overwrite each other's runtime directory: the second is refused while the first exists.
  const owner = readSourcePath(manifest, runtime, options.home);
  if (!hasSkillFile(owner) || [source.dir, options.imported].includes(canonicalPath(owner))) return known;
  const help = `skill '${source.name}' is compiled from ${owner}; rename one of the two, or use --force`;
  throw SkillwrightError.of('E013', { path: runtime }, { help, data: { owner } });
}

/**
 * True if something at the path of a runtime directory was not made by skc. A build writes its index first, so a
 * stub without manifest and index is not ours.
 */
export function isForeignRuntime(runtime: string, manifest = readBuildManifest(runtime)): boolean {
  const status = statusAt(runtime);
  if (status === undefined) return false;
  const own = join(runtime, OWN_DIRECTORY);
  if (!status.isDirectory() || !(statusAt(own)?.isDirectory() ?? true)) return true;
  if (manifest !== undefined) return false;
  const names = readdirSync(runtime);
  if (names.includes(FOREIGN_DIRECTORY)) return true;
  const hasIndex =
    names.includes(OWN_DIRECTORY) && readdirSync(own).some((name) => /^search-.*\.db$/.test(name));
  return names.includes('SKILL.md') && !hasIndex;
}
