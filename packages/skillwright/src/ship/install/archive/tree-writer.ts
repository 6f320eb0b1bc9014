// Writes the entries of an archive below a directory. Links come last, so nothing is ever written through one.

import { closeSync, fchmodSync, mkdirSync, openSync, realpathSync, symlinkSync, writeSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { unsafeArchive } from '../../../base/archive/index.ts';
import {
  isInside,
  isMissing,
  noteExecuteBit,
  systemErrorCode,
  writeError,
} from '../../../base/files/index.ts';
import type { EntryGuard } from './entry-guard.ts';

/** A file being written. */
export interface OpenEntry {
  write(bytes: Uint8Array): void;
  close(): void;
}

/** Writes below one directory. Every method throws E205 for what the guard refuses, E016 when writing fails. */
export interface TreeWriter {
  directory(name: string): void;
  /** Opens a file. It keeps the executable bit, and no other permission. */
  file(name: string, mode: number): OpenEntry;
  link(name: string, target: string): void;
  /** Creates the links and checks each target. */
  finish(): void;
}

const MAX_TARGET_LENGTH = 1024;
const MAX_HELD_BYTES = 256 * 1024;

/** Makes a writer for an empty directory. */
export function createTreeWriter(dir: string, guard: EntryGuard): TreeWriter {
  const links: { readonly path: string; readonly target: string }[] = [];
  const made = new Set(['.']);

  const makeParents = (path: string): void => {
    if (made.has(path)) return;
    attempt(dir, () => mkdirSync(join(dir, path), { recursive: true, mode: 0o755 }));
    made.add(path);
  };

  return {
    directory(name) {
      const path = guard.admit(name, 'directory');
      if (path !== '') makeParents(path);
    },
    file(name, mode) {
      const path = guard.admit(name, 'file');
      makeParents(posix.dirname(path));
      const place = join(dir, path);
      const descriptor = attempt(place, () => openSync(place, 'wx', 0o644));
      const isExecutable = (mode & 0o111) !== 0;
      if (isExecutable) attempt(place, () => fchmodSync(descriptor, 0o755));
      noteExecuteBit(place, isExecutable);
      // Readers of archives deliver blocks of half a kilobyte.
      let blocks: Uint8Array[] = [];
      let held = 0;
      const flush = (): void => {
        const bytes = blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks, held);
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
        blocks = [];
        held = 0;
      };
      return {
        write(bytes) {
          guard.count(bytes.length);
          blocks.push(bytes);
          held += bytes.length;
          if (held >= MAX_HELD_BYTES) attempt(place, flush);
        },
        close() {
          try {
            if (held > 0) attempt(place, flush);
          } finally {
            attempt(place, () => closeSync(descriptor));
          }
        },
      };
    },
    link(name, target) {
      const path = guard.admit(name, 'file');
      const isPlain =
        target !== '' &&
        target.length <= MAX_TARGET_LENGTH &&
        !target.startsWith('/') &&
        !/[\p{Cc}\\]|^[a-z]:/iu.test(target);
      const leadsTo = posix.normalize(posix.join(posix.dirname(path), target));
      if (!isPlain || leadsTo === '..' || leadsTo.startsWith('../')) throw leadsOut(path, target);
      links.push({ path, target });
    },
    finish() {
      for (const { path, target } of links) {
        makeParents(posix.dirname(path));
        attempt(join(dir, path), () => symlinkSync(target, join(dir, path)));
      }
      const root = links.length === 0 ? dir : realpathSync.native(dir);
      for (const { path, target } of links) checkLink(root, path, target);
    },
  };
}

/** Checks the real target: a path that looks inside can still escape through another link. */
function checkLink(root: string, path: string, target: string): void {
  let real: string;
  try {
    real = realpathSync.native(join(root, path));
  } catch (error) {
    if (isMissing(error)) throw unsafeArchive(`link '${path}' points to a missing file: '${target}'`);
    if (systemErrorCode(error) === 'ELOOP') throw unsafeArchive(`link '${path}' is circular`);
    throw error;
  }
  if (!isInside(root, real)) throw leadsOut(path, target);
  if (isInside(real, join(root, dirname(path))))
    throw unsafeArchive(`link '${path}' points to a directory that contains it`);
}

function leadsOut(path: string, target: string) {
  return unsafeArchive(`link '${path}' points outside: '${target}'`);
}

function attempt<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(place, error);
  }
}
