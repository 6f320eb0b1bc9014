// The contents of files that were installed, kept by their hash: what is in it need not be fetched again.

import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { discardTemporary, readRegularFile, sha256, temporaryBeside } from '../../../base/files/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import type { SkillFiles } from './stored-files.ts';

/** Contents by integrity (`sha256:<hex>`). Losing it costs a download and nothing else. */
export interface ContentCache {
  /** The bytes, checked against their hash; undefined when they are not there or damaged. */
  read(integrity: string): Buffer | undefined;
  /** Whether something is there under that hash; it is checked only when it is read. */
  has(integrity: string): boolean;
  /** Remembers cleared content, and what it was merged from. What cannot be written is not remembered. */
  remember(content: ClearedContent, origin?: SkillFiles): void;
}

/** Where contents are kept. */
export function contentRoot({ user }: Pick<Workspace, 'user'>): string {
  return join(user.cache, 'content');
}

/** Bytes that this process has put into caches and nobody has asked about yet. */
const written = new Map<string, number>();

/** How much this process has put into the cache since it was asked last. */
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
      // What cannot be read is not there.
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
      // Not synced to the disk: a reader can tell when a crash left a part of it.
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

/** What was used lately stays when the cache is pruned. */
function markUsed(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // A cache that can only be read is used all the same.
  }
}
