// Versions unpacked on this machine, by digest. Any process may remove the oldest; the next reader unpacks it again.

import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type DeskEntry, openReadingDesk, type ReadingDesk } from 'skillwright/mcp';
import { extractArchive } from 'skillwright/ship';
import { digestOf, Failure } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import type { ReadableVersion } from './find-version.ts';
import { indexKey, unpackIndex } from './prepare-version.ts';

/** Published versions are unpacked whatever the limits are now; these only stop a damaged store. */
const limits = { maxEntries: 100_000, maxBytes: 2 ** 30, maxRatio: 10_000 };

/** A version used this recently is not removed. */
const IN_USE_MS = 60_000;

/** Unpacking takes less than this. */
const ABANDONED_MS = 3_600_000;

/** Written last: its time is that of the last use, its text the size in bytes. */
const READY = 'ready';

/** The desk of a registry, where versions are read with the tools of skc. */
export interface VersionDesk {
  /** Opened at the first read, with the directory of unpacked versions. */
  opened: { readonly desk: ReadingDesk; readonly cache: string } | undefined;
  /** Versions being unpacked, by digest. */
  readonly unpacking: Map<string, Promise<string>>;
}

/** A registry, as far as its versions are read. */
export type Reading = Store & { readonly versions: VersionDesk };

/** Opens the desk unless it is open. */
export function openDesk({ versions, settings, now }: Reading): NonNullable<VersionDesk['opened']> {
  if (versions.opened !== undefined) return versions.opened;
  const place = join(settings.data, 'cache');
  mkdirSync(join(place, 'versions'), { recursive: true, mode: 0o700 });
  mkdirSync(join(place, 'home'), { recursive: true, mode: 0o700 });
  const cache = realpathSync.native(join(place, 'versions'));
  const desk = openReadingDesk({ home: realpathSync.native(join(place, 'home')), now });
  versions.opened = { desk, cache };
  return versions.opened;
}

/** Closes the indexes the desk holds open. */
export function closeDesk({ versions }: Reading): void {
  versions.opened?.desk.close();
  versions.opened = undefined;
}

/** The version on disk, unpacked unless it is there. Rights must have been checked. */
export async function unpackVersion(registry: Reading, wanted: ReadableVersion): Promise<DeskEntry> {
  const { owner, name, version, isNamed, digest } = wanted;
  const room = roomOf(openDesk(registry).cache, digest);
  if (!touch(room, registry.now())) {
    const running = registry.versions.unpacking;
    // Requests for one version share the work.
    const work =
      running.get(digest) ?? unpack(registry, { digest, name, room }).finally(() => running.delete(digest));
    running.set(digest, work);
    await work;
  }
  const word = `@${owner}/${name}${isNamed ? `@${version}` : ''}`;
  const dir = join(room, 'skill', name);
  link(join(room, word), dir);
  const root = `skill://${owner}/${isNamed ? `@${version}/` : ''}${name}`;
  return { room, dir, name, word, root };
}

async function unpack(
  registry: Reading,
  { digest, name, room }: { digest: string; name: string; room: string },
): Promise<string> {
  const { desk, cache } = openDesk(registry);
  const [archive, packed] = await Promise.all([
    registry.blobs.get(digest),
    registry.blobs.get(indexKey(digest)),
  ]);
  if (archive === undefined || digestOf(archive) !== digest)
    throw new Failure('unavailable', 'the archive of this version is missing or damaged');
  const index = unpackIndex(packed);
  const fresh = join(cache, `new-${randomUUID()}`);
  try {
    mkdirSync(join(fresh, 'skill'), { recursive: true, mode: 0o700 });
    const file = join(fresh, 'archive');
    writeFileSync(file, archive, { mode: 0o600 });
    const { root, bytes } = await extractArchive(file, join(fresh, 'content'), { limits });
    rmSync(file);
    renameSync(root, join(fresh, 'skill', name));
    rmSync(join(fresh, 'content'), { recursive: true, force: true });
    try {
      renameSync(fresh, room);
    } catch (error) {
      // Another process was faster.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    }
    desk.prepare({ room, dir: join(room, 'skill', name), name }, index);
    writeFileSync(join(room, READY), String(bytes + (index?.byteLength ?? 0)));
    utimesSync(join(room, READY), registry.now(), registry.now());
    sweep(cache, registry.settings.readCacheBytes, registry.now());
    return room;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Whether a version is still there: another process may have removed it. */
export function isUnpacked({ room }: DeskEntry): boolean {
  return existsSync(join(room, READY));
}

/** Marks a version as used; false when it is not unpacked. */
function touch(room: string, now: Date): boolean {
  try {
    const ready = join(room, READY);
    if (now.getTime() - statSync(ready).mtimeMs > IN_USE_MS / 2) utimesSync(ready, now, now);
    return true;
  } catch {
    return false;
  }
}

/** The same bytes may be published under several addresses: each is a link to the one directory. */
function link(path: string, dir: string): void {
  if (realOf(path) === dir) return;
  mkdirSync(dirname(path), { recursive: true });
  try {
    symlinkSync(dir, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Removes the versions not used for longest until the rest fits. */
function sweep(cache: string, maxBytes: number, now: Date): void {
  for (const name of readdirSync(cache).filter((name) => /^(?:new|old)-/.test(name))) {
    // A process was killed while it unpacked or removed a version.
    const left = statSync(join(cache, name), { throwIfNoEntry: false });
    if (left !== undefined && now.getTime() - left.mtimeMs > ABANDONED_MS)
      rmSync(join(cache, name), { recursive: true, force: true });
  }
  const rooms = readdirSync(cache).flatMap((name) => {
    try {
      const ready = join(cache, name, READY);
      return [
        {
          room: join(cache, name),
          used: statSync(ready).mtimeMs,
          bytes: Number(readFileSync(ready, 'utf8')),
        },
      ];
    } catch {
      return [];
    }
  });
  let left = rooms.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { room, used, bytes } of rooms.sort((a, b) => a.used - b.used)) {
    if (left <= maxBytes || now.getTime() - used < IN_USE_MS) return;
    remove(room, cache);
    left -= bytes;
  }
}

/** Removes a purged version from this machine. */
export function removeUnpacked(registry: Reading, digest: string): void {
  const { cache } = openDesk(registry);
  remove(roomOf(cache, digest), cache);
}

/** Readers see all of it or nothing. */
function remove(room: string, cache: string): void {
  const gone = join(cache, `old-${randomUUID()}`);
  try {
    renameSync(room, gone);
    rmSync(gone, { recursive: true, force: true });
  } catch {
    // It is not there, or another process removes it.
  }
}

const roomOf = (cache: string, digest: string) => join(cache, digest.slice('sha256:'.length));
