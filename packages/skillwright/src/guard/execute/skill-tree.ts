// Hashes and copies everything of a skill that a sandboxed process can read. Wider
// than the hash of its sources: a script can also read hidden files and modules.

import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  createSha256,
  type HashedFile,
  hashTree,
  isInside,
  isMissing,
  readError,
  systemErrorCode,
  walkTree,
  writeError,
} from '../../base/files/index.ts';
import { makePrivateDirectory, type PrivateDirectory } from './private-directory.ts';

/** Entries at the top of the skill that are hidden from all code, and so ignored here. */
export const MASKED_NAME = '.git';

/** Limits of a copy. */
export interface TreeBounds {
  readonly entries: number;
  readonly bytes: number;
}

/** Limits for a skill with grants or trust. */
export const wholeSkill: TreeBounds = { entries: 50_000, bytes: 1024 * 1024 * 1024 };

/** A private copy of a skill, and its digest. */
export interface Snapshot extends PrivateDirectory {
  readonly digest: string;
}

/** SHA-256 over all entries of the skill in a canonical directory. E015 when a file cannot be read, or the skill is too large. */
export function skillDigest(dir: string): string {
  return readTree(dir, wholeSkill);
}

/** Copies a skill below `base`, so that exactly the hashed files run. E015 as `skillDigest`, E016 when it cannot be written. */
export function takeSnapshot(
  dir: string,
  { bounds, base }: { readonly bounds: TreeBounds; readonly base?: string | undefined },
): Snapshot {
  const directory = makePrivateDirectory(base);
  try {
    return { ...directory, digest: readTree(dir, bounds, directory.path) };
  } catch (error) {
    directory.remove();
    throw writeError(directory.path, error);
  }
}

function readTree(dir: string, bounds: TreeBounds, copy?: string): string {
  const listing = orUndefined(() => readdirSync(dir, { withFileTypes: true }));
  const { entries, truncated } = walkTree(dir, {
    listing: listing?.filter(({ name }) => name !== MASKED_NAME),
    ignores: () => false,
    maxEntries: bounds.entries,
  });
  if (truncated) throw tooMuch(dir);
  const hashed: HashedFile[] = [];
  let left = bounds.bytes;
  for (const { path, kind, why } of entries) {
    if (kind === 'unreadable') throw SkillwrightError.of('E015', { path, why: why ?? 'unreadable' });
    if (kind === 'directory') {
      if (copy !== undefined) mkdirSync(join(copy, path), { mode: 0o755 });
      hashed.push({ path, sha256: kind });
    } else if (kind === 'special') hashed.push({ path, sha256: kind });
    else {
      const room = (size: number) => {
        left -= size;
        if (left < 0) throw tooMuch(dir);
      };
      const file = kind === 'file' ? copyFile(dir, path, { copy, room }) : 'link';
      const entry = file === 'link' ? copyLink(dir, path, copy) : file;
      // Removed since the directory was listed, so it is in neither the copy nor the hash.
      if (entry !== undefined) hashed.push({ path, sha256: entry });
    }
  }
  return hashTree(hashed);
}

function tooMuch(dir: string): SkillwrightError {
  return SkillwrightError.of('E015', { path: dir, why: 'too many files, too large, or too deeply nested' });
}

/** A link counts by its target; inside the skill the target is rewritten to work in a copy too. */
function copyLink(dir: string, path: string, copy: string | undefined): string | undefined {
  const target = orUndefined(() => readlinkSync(join(dir, path)));
  if (target === undefined) return undefined;
  const isOwn = isAbsolute(target) && isInside(dir, target);
  const spelled = isOwn ? relative(dirname(join(dir, path)), target) || '.' : target;
  if (copy !== undefined) symlinkSync(spelled, join(copy, path));
  return `link ${target}`;
}

const chunk = Buffer.allocUnsafe(256 * 1024);

/** Hash and executable bit of a file, which is copied while it is read; undefined when it is gone, or `link`. */
function copyFile(
  dir: string,
  path: string,
  { copy, room }: { readonly copy: string | undefined; readonly room: (bytes: number) => void },
): string | undefined {
  const file = join(dir, path);
  let source: number | undefined;
  let target: number | undefined;
  try {
    source = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    // A parent directory may have become a link since: the opened file must be where it was listed.
    const opened = orUndefined(() => readlinkSync(`/proc/self/fd/${source}`));
    const status = fstatSync(source);
    if ((opened !== undefined && opened !== file) || !status.isFile()) return undefined;
    const isExecutable = (status.mode & 0o111) !== 0;
    if (copy !== undefined) target = createAt(join(copy, path), isExecutable ? 0o755 : 0o644);
    const hash = createSha256();
    // A file that grows meanwhile is read up to its original size.
    for (let rest = status.size; rest > 0; ) {
      const read = readSync(source, chunk);
      if (read === 0) break;
      rest -= read;
      room(read);
      const bytes = chunk.subarray(0, read);
      hash.update(bytes);
      if (target !== undefined) writeAll(target, bytes);
    }
    if (target !== undefined) futimesSync(target, status.atime, status.mtime);
    return `${isExecutable ? 'executable ' : ''}${hash.digest('hex')}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (systemErrorCode(error) === 'ELOOP') return 'link';
    throw readError(path, error);
  } finally {
    if (source !== undefined) closeSync(source);
    if (target !== undefined) closeSync(target);
  }
}

function createAt(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    throw writeError(path, error);
  }
}

function writeAll(target: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done);
  } catch (error) {
    throw writeError('the private copy of the skill', error);
  }
}
