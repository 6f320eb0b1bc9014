// Hashes a skill, and copies what its code may read: no hidden files and no nested skill that is closed. The hash covers
// them all the same, and modules too, so any change ends grants.

import {
  chmodSync,
  chownSync,
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
  makePrivateDirectory,
  type PrivateDirectory,
  readError,
  systemErrorCode,
  walkTree,
  writeError,
} from '../../base/files/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { NOBODY } from './nobody.ts';

/** The entry at the top of the skill that changes without the skill, and does not count for its hash. */
const REPOSITORY = '.git';

/** Parts of a skill that its code must not see, relative to it. */
export interface ClosedParts {
  /** Hidden files and directories, without links: what a link leads to counts. */
  readonly hidden: readonly string[];
  /** Directories of nested skills, with a trailing `/`. */
  readonly fenced: readonly string[];
}

/** Package managers keep modules and their programs there. */
const moduleStores = new Set(['.bin', '.pnpm', '.store']);

const isHidden = (name: string, parent: string | undefined): boolean =>
  name.startsWith('.') && !(parent === 'node_modules' && moduleStores.has(name));

/** Finds the hidden files of the skill in a canonical directory, and the SKILL.md files below it. E015 when it is too large. */
export function surveySkill(dir: string): { readonly hidden: string[]; readonly manifests: string[] } {
  const found = { hidden: [] as string[], manifests: [] as string[] };
  let left = wholeSkill.entries;
  const visit = (prefix: string, parent: string | undefined) => {
    for (const entry of orUndefined(() => readdirSync(join(dir, prefix), { withFileTypes: true })) ?? []) {
      const { name } = entry;
      left -= 1;
      if (left < 0) throw tooMuch(dir);
      if (isHidden(name, parent)) {
        if (!entry.isSymbolicLink()) found.hidden.push(prefix + name);
      } else if (entry.isDirectory()) {
        // Modules may be many.
        if (name !== 'node_modules') visit(`${prefix}${name}/`, name);
      } else if (prefix !== '' && name.toUpperCase() === SKILL_FILE.toUpperCase())
        found.manifests.push(prefix + SKILL_FILE);
    }
  };
  visit('', undefined);
  return found;
}

/** Whether code of the skill may see a path. */
function isOpen(path: string, { fenced }: Pick<ClosedParts, 'fenced'>): boolean {
  if (fenced.some((prefix) => `${path}/`.startsWith(prefix))) return false;
  const names = path.split('/');
  return !names.some((name, at) => isHidden(name, names[at - 1]));
}

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

/**
 * Copies the open parts of a skill below `base`, so that exactly the hashed files run. E015 as `skillDigest`, E016 when it cannot
 * be written.
 */
export function takeSnapshot(
  dir: string,
  {
    bounds,
    base,
    closed,
  }: {
    readonly bounds: TreeBounds;
    readonly base?: string | undefined;
    readonly closed: Pick<ClosedParts, 'fenced'>;
  },
): Snapshot {
  const directory = makePrivateDirectory(base);
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    // The sandbox may start as another user, who gets no more than to read it.
    chownSync(directory.path, 0, NOBODY);
    chmodSync(directory.path, 0o750);
  }
  try {
    const copyOf = (path: string) => (isOpen(path, closed) ? join(directory.path, path) : undefined);
    return { ...directory, digest: readTree(dir, bounds, copyOf) };
  } catch (error) {
    directory.remove();
    throw writeError(directory.path, error);
  }
}

/** Hashes a skill. `copyOf` is the path of an entry in a copy, if it has one. */
function readTree(
  dir: string,
  bounds: TreeBounds,
  copyOf: (path: string) => string | undefined = () => undefined,
): string {
  const listing = orUndefined(() => readdirSync(dir, { withFileTypes: true }));
  const { entries, truncated } = walkTree(dir, {
    listing: listing?.filter(({ name }) => name !== REPOSITORY),
    ignores: () => false,
    maxEntries: bounds.entries,
  });
  if (truncated) throw tooMuch(dir);
  const hashed: HashedFile[] = [];
  let left = bounds.bytes;
  for (const { path, kind, why } of entries) {
    if (kind === 'unreadable') throw SkillwrightError.of('E015', { path, why: why ?? 'unreadable' });
    const copy = copyOf(path);
    if (kind === 'directory') {
      if (copy !== undefined) mkdirSync(copy, { mode: 0o755 });
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
  if (copy !== undefined) symlinkSync(spelled, copy);
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
    if (copy !== undefined) target = createAt(copy, isExecutable ? 0o755 : 0o644);
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
