// The newest checkpoint of a log that this machine has seen. Every later one must agree with it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Diagnostic, diagnose, orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readRegularFile, writeFileAtomic } from '../../base/files/index.ts';
import { lockFile } from '../../base/sqlite/index.ts';
import {
  checkAdvance,
  checkSuccessor,
  decodeEntries,
  isSameHash,
  type LogKey,
  logPathOf,
  type OpenedCheckpoint,
  openCheckpoint,
  readTiles,
  tilePath,
  tileWidth,
} from '../log/index.ts';
import type { RegistryClient } from './registry-client.ts';
import { forgettingCommand } from './registry-memory.ts';

/** A log, and the directory that holds what is known of it. */
interface KnownLog {
  readonly key: LogKey;
  readonly dir: string;
}

/** Such a log, and how to read it. */
interface ReadLog extends KnownLog {
  readonly client: Pick<RegistryClient, 'url' | 'log'>;
  readonly signal: AbortSignal;
}

const MAX_BYTES = 1024 * 1024;
/** Checkpoints that are remembered besides the newest. */
const MAX_SEEN = 10_000;

const fileIn = (dir: string) => join(dir, 'checkpoint.txt');
const seenIn = (dir: string) => join(dir, 'seen.json');

/** Whether this machine has seen a checkpoint of the log. */
export function hasKnown({ dir }: KnownLog): boolean {
  return existsSync(fileIn(dir));
}

/** The newest checkpoint seen; undefined before the first. E015 when the file cannot be used. */
function readKnown({ key, dir }: KnownLog): OpenedCheckpoint | undefined {
  const path = fileIn(dir);
  const bytes = readRegularFile(path, { maxBytes: MAX_BYTES });
  if (bytes === undefined) return undefined;
  try {
    return openCheckpoint(bytes.toString('utf8'), { key });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    throw SkillwrightError.of(
      'E015',
      { path, why: error.message },
      {
        help: `it holds the newest state of a log that you have seen; remove ${dir} to start again`,
        cause: error,
      },
    );
  }
}

/**
 * Compares an offered checkpoint with the newest one seen, and keeps it if it is newer. E231 when it shows another past,
 * E232 when the log cannot prove that it is the same past, E242 when the log started again. An older one is W237.
 */
export async function advanceKnown(offered: OpenedCheckpoint, log: ReadLog): Promise<Diagnostic[]> {
  const { client } = log;
  // Another process may have seen more meanwhile: then compare with that.
  for (;;) {
    const known = readKnown(log);
    if (known !== undefined && known.origin !== offered.origin)
      throw await startedAgain({ known, offered }, log);
    const size = Math.max(known?.size ?? 0, offered.size);
    const advance = await checkAdvance({ known, offered, read: readerOf(offered, log, size) });
    if (advance === 'fork') throw forked(offered, known);
    noteSeen(offered, log);
    if (advance === 'older') {
      const sizes = { size: String(offered.size), known: String(known?.size) };
      return [diagnose('W237', { registry: client.url, ...sizes })];
    }
    if (advance === 'same' || replaceKnown({ known, offered }, log)) return [];
  }
}

/** E231 when a checkpoint contradicts one that was seen, as far as that shows without asking the log: two of the same size. */
export function checkAgainstKnown(checkpoint: OpenedCheckpoint, log: KnownLog): void {
  const known = readKnown(log);
  const isSameSize = known?.origin === checkpoint.origin && known.size === checkpoint.size;
  if (known !== undefined && isSameSize && !isSameHash(known.root, checkpoint.root))
    throw forked(checkpoint, known);
  noteSeen(checkpoint, log);
}

/** Remembers a checkpoint by its size. E231 when another one of this size was seen: the log signed both. */
function noteSeen(checkpoint: OpenedCheckpoint, { dir, key }: KnownLog): void {
  const path = seenIn(dir);
  const unlock = lockFile(path);
  try {
    const bytes = readRegularFile(path, { maxBytes: 64 * MAX_BYTES });
    const seen = orUndefined(() => Seen.parse(JSON.parse(bytes?.toString('utf8') ?? '{}'))) ?? {};
    const place = `${checkpoint.origin} ${checkpoint.size}`;
    const other = seen[place];
    if (other === undefined) {
      const kept = Object.entries(seen).slice(-MAX_SEEN + 1);
      writeFileAtomic(path, JSON.stringify(Object.fromEntries([...kept, [place, checkpoint.note]])));
      return;
    }
    const before = orUndefined(() => openCheckpoint(other, { key }));
    if (before !== undefined && !isSameHash(before.root, checkpoint.root)) throw forked(checkpoint, before);
  } finally {
    unlock();
  }
}

/** Signed notes by origin and size. */
const Seen = z.record(z.string(), z.string());

function forked(offered: OpenedCheckpoint, known: OpenedCheckpoint | undefined): SkillwrightError {
  return SkillwrightError.of(
    'E231',
    { origin: offered.origin },
    {
      help: 'install nothing from this registry; tell the people who run it',
      data: { known: known?.note ?? null, offered: offered.note },
    },
  );
}

/** False when another process has replaced it meanwhile. */
function replaceKnown(
  { known, offered }: { known: OpenedCheckpoint | undefined; offered: OpenedCheckpoint },
  log: KnownLog,
): boolean {
  const path = fileIn(log.dir);
  const unlock = lockFile(path);
  try {
    if (readKnown(log)?.note !== known?.note) return false;
    writeFileAtomic(path, offered.note);
    return true;
  } finally {
    unlock();
  }
}

/** A resource of the log of a checkpoint. Each origin has its own addresses. */
function fetchTile(tile: Parameters<typeof tilePath>[0], { origin }: OpenedCheckpoint, log: ReadLog) {
  const { client, key, signal } = log;
  return client.log(`${logPathOf(origin, key.name)}/tile/${tilePath(tile)}`, { signal });
}

function readerOf(checkpoint: OpenedCheckpoint, log: ReadLog, size = checkpoint.size) {
  return readTiles((tile) => fetchTile(tile, checkpoint, log), size);
}

/** E242: a later origin with the same key. E231 and E232 when its first entry does not record the one before. */
async function startedAgain(
  { known, offered }: { known: OpenedCheckpoint; offered: OpenedCheckpoint },
  log: ReadLog,
): Promise<SkillwrightError> {
  const { client, key, dir } = log;
  const place = { level: 'entries', index: 0 } as const;
  const width = tileWidth(place, offered.size);
  const bundle = await fetchTile({ ...place, width }, offered, log);
  const [firstLeaf] = decodeEntries(bundle, width);
  const read = readerOf(offered, log);
  const { recorded, lost } = await checkSuccessor({ known, offered, firstLeaf: firstLeaf!, key, read });
  const why = `it lost ${lost} of the entries of ${recorded.origin}, of which you have seen ${known.size}`;
  return SkillwrightError.of(
    'E242',
    { registry: client.url, origin: offered.origin, why },
    {
      help: `ask the people who run it; to accept the new log: ${forgettingCommand(client.url)}`,
      data: { known: known.note, offered: offered.note, lost, dir },
    },
  );
}
