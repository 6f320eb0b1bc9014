// Reads the files of a skill's directory and writes them elsewhere.

import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  isIgnoredName,
  joinInside,
  readError,
  readFileInside,
  readRegularFile,
  renameInto,
  sha256,
} from '../../../base/files/index.ts';
import { checkPaths } from '../../../make/compile/index.ts';
import { digestOf, isLockPath, type LockedSkill } from '../lock/lock.ts';

/** The content of one file. */
export interface SkillFile {
  readonly bytes: Buffer;
  readonly executable: boolean;
}

/** Files by path inside the skill, in bytewise order. */
export type SkillFiles = ReadonlyMap<string, SkillFile>;

/** The integrity of bytes, as in locks. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}

/** Every file of the skill in `dir`. E012 when a link escapes, E015 when a part cannot be read. */
export function readSkillFiles(dir: string): Map<string, SkillFile> {
  const files = new Map<string, SkillFile>();
  for (const { path, kind } of checkPaths(dir)) {
    if (kind !== 'file') continue;
    const file = readFileInside(dir, path, { maxBytes: Number.MAX_SAFE_INTEGER });
    if (file !== undefined) files.set(path, file);
  }
  return files;
}

/** The files with the execute bits of the lock, on Windows, where files have none: bits stay what they were. */
export function withLockedModes(
  files: Map<string, SkillFile>,
  { files: locked, executable }: Pick<LockedSkill, 'files' | 'executable'>,
  platform: NodeJS.Platform = process.platform,
): Map<string, SkillFile> {
  if (platform !== 'win32') return files;
  const isLocked = (path: string) => Object.hasOwn(locked, path);
  return new Map(
    [...files].map(([path, file]) => [
      path,
      isLocked(path) ? { ...file, executable: executable.includes(path) } : file,
    ]),
  );
}

/** E210 for file names that a lock cannot hold. */
export function checkFileNames(paths: Iterable<string>, source: string): void {
  for (const path of paths) {
    if (!isLockPath(path))
      throw SkillwrightError.of('E210', { source, why: `a lock cannot hold the file name '${path}'` });
  }
}

/** Files as the lock describes them: the integrity of each, of all together, and which are executable. */
export type DescribedFiles = Pick<LockedSkill, 'digest' | 'files' | 'executable'>;

/** Describes files for the lock. */
export function describeFiles(content: SkillFiles): DescribedFiles {
  const files = Object.fromEntries([...content].map(([path, { bytes }]) => [path, integrityOf(bytes)]));
  const executable = [...content].filter(([, file]) => file.executable).map(([path]) => path);
  return { digest: digestOf(files), files, executable };
}

/** Writes files below a new directory. They are durable only after a sync. */
export function writeSkillFiles(dir: string, files: SkillFiles): void {
  const made = new Set<string>();
  for (const [path, { bytes, executable }] of files) {
    const place = joinInside(dir, path);
    const parent = dirname(place);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(place, bytes, { flag: 'wx', mode: executable ? 0o777 : 0o666 });
  }
}

/** Moves a directory on the same disk; false when the target is on another disk, or the directory cannot be moved. */
export function moveDirectory(from: string, to: string): boolean {
  try {
    renameInto(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Entries in a skill's directory that are not part of the skill: hidden files and node_modules. */
export function listBeside(dir: string, prefix = ''): string[] {
  return readdirSync(join(dir, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (path === '.gitignore' && isOwnIgnore(join(dir, path))) return [];
    if (isIgnoredName(entry.name)) return entry.name === '.DS_Store' ? [] : [path];
    return entry.isDirectory() ? listBeside(dir, path) : [];
  });
}

/** Copies entries that are not part of the skill, so that the user keeps them with a new version. */
export function copyBeside(from: string, to: string): void {
  try {
    for (const path of listBeside(from)) {
      mkdirSync(dirname(join(to, path)), { recursive: true });
      cpSync(join(from, path), join(to, path), { recursive: true, verbatimSymlinks: true });
    }
  } catch (error) {
    throw readError(from, error);
  }
}

const TEXT = '# Restored by skc install\n*\n';

/**
 * Makes git ignore the directory of a skill about to be installed: it is restored from the lock, and skills written by
 * hand in the same store are not touched.
 */
export function ignoreInstalled(dir: string): void {
  writeFileSync(join(dir, '.gitignore'), TEXT);
}

/** True for the `.gitignore` that skc wrote. */
function isOwnIgnore(path: string): boolean {
  return attempt(() => readRegularFile(path, { maxBytes: TEXT.length })?.toString('utf8')) === TEXT;
}
