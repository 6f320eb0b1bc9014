// Copies a skill into a self-contained copy: regular files and directories, nothing else.

import { dirname, join } from 'node:path';
import { unsafeArchive } from '../../../base/archive/index.ts';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isInside,
  makeDirectory,
  readFileInside,
  resolveInside,
  statusAt,
  type TreeEntry,
  targetAt,
  walkTree,
  writeNewFile,
} from '../../../base/files/index.ts';
import type { ArchiveLimits } from '../archive/entry-guard.ts';
import { createEntryGuard, type EntryGuard } from '../archive/entry-guard.ts';
import type { SkillFile } from '../place/stored-files.ts';

/**
 * Copies the skill in `from` to `to`, which must not exist. A link to something inside the skill becomes its target;
 * E012 for a link that escapes or is circular. Hidden entries, node_modules and empty directories are left out.
 * Files get default permissions and stay executable. E205 for names that collide or content over the limits, E015 for
 * unreadable content. On failure nothing is left at `to`. `onFile` sees each file that was written. Returns their bytes.
 */
export function copySkill(
  from: string,
  to: string,
  limits: ArchiveLimits & { readonly onFile?: (path: string, file: SkillFile) => void },
): number {
  if (statusAt(to) !== undefined) throw SkillwrightError.of('E013', { path: to });
  try {
    makeDirectory(to);
    const job = { root: from, to, guard: createEntryGuard(limits), limits };
    copyTree(job, { place: '', target: '', through: [] });
    return job.guard.bytes;
  } catch (error) {
    discardTemporary(to);
    throw error;
  }
}

interface Job {
  readonly root: string;
  readonly to: string;
  readonly guard: EntryGuard;
  readonly limits: Parameters<typeof copySkill>[2];
}

/** A path in the source, and its path in the copy. */
interface Passage {
  readonly place: string;
  readonly target: string;
  /** The real directories whose links are being followed. */
  readonly through: readonly string[];
}

/** Copies everything below `place` of the root to `target`. */
function copyTree(job: Job, passage: Passage): void {
  const { place } = passage;
  const { entries, truncated } = walkTree(join(job.root, place), { maxEntries: job.limits.maxEntries });
  if (truncated)
    throw unsafeArchive(`more than ${job.limits.maxEntries} entries, or nested too deeply: '${job.root}'`);
  for (const entry of entries) copyEntry(job, entry, passage);
}

function copyEntry(job: Job, entry: TreeEntry, prefix: Passage): void {
  const place = joinPath(prefix.place, entry.path);
  const passage = { ...prefix, place, target: joinPath(prefix.target, entry.path) };
  switch (entry.kind) {
    case 'file':
      copyFile(job, passage);
      break;
    case 'directory':
      job.guard.admit(passage.target, 'directory');
      break;
    case 'linked-directory':
      copyLinked(job, passage);
      break;
    case 'escape':
      copyEscaping(job, passage);
      break;
    case 'broken-link':
      throw SkillwrightError.of('E015', { path: place, why: 'broken link' });
    case 'special':
      throw SkillwrightError.of('E015', { path: place, why: 'not a regular file' });
    case 'unreadable':
      throw SkillwrightError.of('E015', { path: place || job.root, why: entry.why ?? 'unreadable' });
  }
}

function copyFile(job: Job, { place: path, target }: Passage): void {
  const copied = job.guard.admit(target, 'file');
  const file = readFileInside(job.root, path, { maxBytes: job.limits.maxBytes });
  if (file === undefined) throw SkillwrightError.of('E015', { path, why: 'it disappeared during the copy' });
  job.guard.count(file.bytes.length);
  writeNewFile(join(job.to, copied), file.bytes, { mode: file.executable ? 0o777 : 0o666 });
  job.limits.onFile?.(copied, file);
}

/** A link that leaves the directory being copied; its target may still be inside the skill. */
function copyEscaping(job: Job, passage: Passage): void {
  const real = passage.through.length === 0 ? undefined : resolveInside(job.root, passage.place);
  const status = real === undefined ? undefined : targetAt(real);
  if (status?.isFile()) copyFile(job, passage);
  else if (status?.isDirectory()) copyLinked(job, passage);
  else throw SkillwrightError.of('E012', { path: passage.place });
}

/** Copies a link to a directory inside as a real directory. */
function copyLinked(job: Job, { place, target, through }: Passage): void {
  const real = resolveInside(job.root, place);
  const holder = resolveInside(job.root, dirname(place));
  const root = resolveInside(job.root, '.');
  if (real === undefined || holder === undefined || root === undefined)
    throw SkillwrightError.of('E012', { path: place });
  const passed = [...through, holder];
  if (passed.some((directory) => isInside(real, directory)))
    throw SkillwrightError.of('E012', { path: place });
  job.guard.admit(target, 'directory');
  copyTree(job, { place: real.slice(root.length + 1), target, through: [...passed, real] });
}

function joinPath(prefix: string, path: string): string {
  return prefix === '' ? path : `${prefix}/${path}`;
}
