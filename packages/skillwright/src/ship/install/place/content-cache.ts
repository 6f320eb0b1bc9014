// Caches the contents of installed files by hash, so that they need not be fetched again. The least recently used files
// go first when the cache is over its limit.

import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  discardTemporary,
  isThere,
  namesIn,
  readRegularFile,
  removePath,
  sha256,
  statusAt,
  systemErrorCode,
} from '../../../base/files/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import type { SkillFiles } from './stored-files.ts';

/** Contents by integrity (`sha256:<hex>`). Losing it only costs a download. */
export interface ContentCache {
  /** The bytes, checked against their hash; undefined when they are missing or damaged. */
  read(integrity: string): Buffer | undefined;
  /** Whether there is a file for that hash; its content is checked when it is read. */
  has(integrity: string): boolean;
  /** Whether something was added since it was opened. */
  readonly isWritten: boolean;
  /** Stores cleared content and its merge base. A failed write is ignored. */
  remember(content: Pick<ClearedContent, 'files'>, origin?: SkillFiles): void;
}

/** Directory of the cache. */
export function contentRoot({ user }: Pick<Workspace, 'user'>): string {
  return join(user.cache, 'content');
}

/** The cache of a user. */
export function openContentCache(workspace: Pick<Workspace, 'user'>): ContentCache {
  const root = contentRoot(workspace);
  const placeOf = (hex: string) => join(root, hex);
  let isWritten = false;
  const read = (integrity: string): Buffer | undefined => {
    const hex = /^sha256:([0-9a-f]{64})$/.exec(integrity)?.[1];
    if (hex === undefined) return undefined;
    let bytes: Buffer | undefined;
    try {
      bytes = readRegularFile(placeOf(hex), { maxBytes: Number.MAX_SAFE_INTEGER });
    } catch {
      // Unreadable counts as missing.
      return undefined;
    }
    if (bytes === undefined) return undefined;
    if (sha256(bytes) === hex) {
      markUsed(placeOf(hex));
      return bytes;
    }
    discardTemporary(placeOf(hex));
    return undefined;
  };
  const write = (bytes: Uint8Array): void => {
    const hex = sha256(bytes);
    // In place, and not synced to disk: a reader detects content that is incomplete, and it only costs a download.
    const write = () => writeFileSync(placeOf(hex), bytes, { mode: 0o600, flag: 'wx' });
    try {
      if (!isWritten) mkdirSync(root, { recursive: true });
      isWritten = true;
      write();
    } catch (error) {
      // Reading removes it when it is damaged.
      if (systemErrorCode(error) !== 'EEXIST') discardTemporary(placeOf(hex));
      else if (read(`sha256:${hex}`) === undefined) orUndefined(write);
    }
  };
  return {
    read,
    get isWritten() {
      return isWritten;
    },
    has: (integrity) => existsSync(placeOf(integrity.slice('sha256:'.length))),
    remember(content, origin) {
      for (const { bytes } of [...content.files().values(), ...(origin?.values() ?? [])]) write(bytes);
    },
  };
}

/** Updates the time, so that recently used content survives pruning. */
function markUsed(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // A read-only cache still works.
  }
}

/** Fill level after pruning, so that the next file does not prune again. */
const FILL = 0.9;

/** A file of the cache. */
interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  /** Time of the last read or write, in milliseconds. */
  readonly used: number;
}

/** The files of the cache, least recently used first. Files that skc did not put there are ignored. */
export function listCache(workspace: Pick<Workspace, 'user'>): CachedFile[] {
  const root = contentRoot(workspace);
  const files = namesIn(root, (name) => /^[0-9a-f]{64}$/.test(name)).flatMap((name): CachedFile[] => {
    const path = join(root, name);
    const found = statusAt(path);
    return found?.isFile() === true ? [{ path, bytes: found.size, used: found.mtimeMs }] : [];
  });
  return files.sort((a, b) => a.used - b.used || compareBytes(a.path, b.path));
}

/** The files to remove so that at most `maxBytes` are left. */
export function chooseUnused(files: readonly CachedFile[], maxBytes: number): CachedFile[] {
  let left = sumBytes(files);
  return files.filter(({ bytes }) => {
    if (left <= maxBytes) return false;
    left -= bytes;
    return true;
  });
}

/** Total size of files. */
export function sumBytes(files: readonly CachedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Removes files of the cache; returns the removed ones. A lost file costs a download. */
export function removeCached(files: readonly CachedFile[]): CachedFile[] {
  return files.filter(({ path }) => {
    try {
      removePath(path, { force: true });
    } catch {
      // It stays, and is not counted.
    }
    return !isThere(path);
  });
}

/** Prunes the cache if it is over its limit. */
export async function boundCache(workspace: Workspace): Promise<void> {
  const { max_bytes: maxBytes } = (await workspace.config()).cache;
  const files = listCache(workspace);
  if (sumBytes(files) > maxBytes) removeCached(chooseUnused(files, maxBytes * FILL));
}
