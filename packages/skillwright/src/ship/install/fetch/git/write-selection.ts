// Writes the files of skills from the objects of a repository.

import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { unsafeArchive } from '../../../../base/archive/index.ts';
import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../../../base/diagnostics/index.ts';
import { systemErrorCode, writeError, writeNewFile } from '../../../../base/files/index.ts';
import {
  type ArchiveLimits,
  archiveLimits,
  createEntryGuard,
  type EntryGuard,
} from '../../archive/entry-guard.ts';
import {
  completeObjects,
  type GitEntry,
  type GitSelection,
  measureObjects,
  readObjects,
} from './git-tree.ts';
import type { GitWorkplace } from './run-git.ts';

/** Limit for a repository, as a multiple of the limit for one skill. */
const REPOSITORY_FACTOR = 10;

/**
 * Writes the files of skills below the new directory `tree`. A skill that breaks a rule is left out with the reason, and
 * the rest are written.
 */
export async function writeSelection(
  tree: string,
  selection: GitSelection,
  { workplace, commit }: { workplace: GitWorkplace; commit: string },
): Promise<Diagnostic[]> {
  mkdirSync(tree);
  const limits = archiveLimits(workplace.context.config.network);
  const all = [...selection.others, ...[...selection.skills.values()].flat()];
  const objects = new Set(all.map(({ object }) => object));
  await completeObjects(objects, commit, workplace);
  const sizes = await measureObjects([...objects], workplace);
  const { places, diagnostics } = admit(selection, sizes, limits);
  const links: { place: string; target: string }[] = [];
  await readObjects([...places.keys()], workplace, (object, bytes) => {
    for (const { path, kind } of places.get(object) ?? []) {
      if (isStandIn(bytes)) diagnostics.push(describeStandIn(path, selection));
      if (kind === 'link') links.push({ place: join(tree, path), target: bytes.toString('utf8') });
      else writeNewFile(join(tree, path), bytes, { mode: kind === 'program' ? 0o755 : 0o644 });
    }
  });
  // Last, so that nothing is written through a link. Finding and copying skills checks the targets.
  for (const { place, target } of links) makeLink(place, target);
  return diagnostics;
}

/** Checks names and sizes skill by skill; returns the files to write, by object. */
function admit(
  { skills, others }: GitSelection,
  sizes: ReadonlyMap<string, number>,
  limits: ArchiveLimits,
): { places: Map<string, GitEntry[]>; diagnostics: Diagnostic[] } {
  const places = new Map<string, GitEntry[]>();
  const diagnostics: Diagnostic[] = [];
  const accepted = new Set<string>();
  const whole = createEntryGuard({
    ...limits,
    maxEntries: limits.maxEntries * REPOSITORY_FACTOR,
    maxBytes: limits.maxBytes * REPOSITORY_FACTOR,
  });
  const accept = (entry: GitEntry): void => {
    if (accepted.has(entry.path)) return;
    accepted.add(entry.path);
    whole.admit(entry.path, 'file');
    whole.count(sizes.get(entry.object) ?? 0);
    const same = places.get(entry.object);
    if (same === undefined) places.set(entry.object, [entry]);
    else same.push(entry);
  };
  const attempt = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      diagnostics.push({ ...diagnosticOf(error), help: `'${path || '.'}' is left out`, data: { path } });
    }
  };
  for (const [dir, entries] of skills)
    attempt(dir, () => {
      checkSkill(entries, sizes, createEntryGuard(limits));
      for (const entry of entries) accept(entry);
    });
  for (const entry of others) if (isSmall(sizes.get(entry.object))) attempt(entry.path, () => accept(entry));
  return { places, diagnostics };
}

function checkSkill(
  entries: readonly GitEntry[],
  sizes: ReadonlyMap<string, number>,
  guard: EntryGuard,
): void {
  for (const { path, object } of entries) {
    guard.admit(path, 'file');
    const size = sizes.get(object);
    if (size === undefined) throw unsafeArchive(`'${path}' is missing from the repository`);
    guard.count(size);
  }
}

const STAND_IN = 'version https://git-lfs.github.com/spec/v1\n';
const MAX_STAND_IN_BYTES = 1024;

/** Whether a file is only a git LFS pointer. */
function isStandIn(bytes: Buffer): boolean {
  return bytes.length <= MAX_STAND_IN_BYTES && bytes.toString('latin1', 0, STAND_IN.length) === STAND_IN;
}

function describeStandIn(path: string, { skills }: GitSelection): Diagnostic {
  const owner = [...skills.keys()].find((dir) => dir !== '' && path.startsWith(`${dir}/`));
  const why = 'its content is in git LFS, and only the pointer file was fetched';
  const error = SkillwrightError.of('E015', { path, why });
  return { ...diagnosticOf(error), data: owner === undefined ? {} : { skill: posix.basename(owner), path } };
}

const MAX_OTHER_BYTES = 1024 * 1024;

function isSmall(size: number | undefined): boolean {
  return size !== undefined && size <= MAX_OTHER_BYTES;
}

function makeLink(place: string, target: string): void {
  try {
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place);
  } catch (error) {
    // A link that the system cannot create, or one below a file or another link, is dropped.
    const code = systemErrorCode(error);
    if (
      code !== 'ENOTDIR' &&
      code !== 'EEXIST' &&
      code !== 'EINVAL' &&
      code !== 'ENAMETOOLONG' &&
      code !== 'ENOENT'
    )
      throw writeError(place, error);
  }
}
