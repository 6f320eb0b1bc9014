// Caches the contents of installed files by hash, so that they need not be fetched again.

import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { discardTemporary, readRegularFile, sha256, temporaryBeside } from '../../../base/files/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import type { SkillFiles } from './stored-files.ts';

/** Contents by integrity (`sha256:<hex>`). Losing it only costs a download. */
export interface ContentCache {
  /** The bytes, checked against their hash; undefined when they are missing or damaged. */
  read(integrity: string): Buffer | undefined;
  /** Whether there is a file for that hash; its content is checked when it is read. */
  has(integrity: string): boolean;
  /** Stores cleared content and its merge base. A failed write is ignored. */
  remember(content: Pick<ClearedContent, 'files'>, origin?: SkillFiles): void;
}

/** Directory of the cache. */
export function contentRoot({ user }: Pick<Workspace, 'user'>): string {
  return join(user.cache, 'content');
}

/** Bytes this process has added to caches since the last query. */
const written = new Map<string, number>();

/** Returns how many bytes this process has added since the last call, and resets the count. */
export function takeWritten(workspace: Pick<Workspace, 'user'>): number {
  const root = contentRoot(workspace);
  const bytes = written.get(root) ?? 0;
  written.delete(root);
  return bytes;
}

/** The cache of a user. */
export function openContentCache(workspace: Pick<Workspace, 'user'>): ContentCache {
  const root = contentRoot(workspace);
  const placeOf = (hex: string) => join(root, hex);
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
    const place = placeOf(hex);
    if (read(`sha256:${hex}`) !== undefined) return;
    const temporary = temporaryBeside(place);
    try {
      mkdirSync(dirname(place), { recursive: true });
      // Not synced to disk: a reader detects content that a crash left incomplete.
      writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, place);
      written.set(root, (written.get(root) ?? 0) + bytes.byteLength);
    } catch {
      discardTemporary(temporary);
    }
  };
  return {
    read,
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
