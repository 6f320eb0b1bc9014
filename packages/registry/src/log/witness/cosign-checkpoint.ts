// One round of a witness: fetch the newest checkpoint, check that the log only grew, cosign.

import { readFileSync } from 'node:fs';
import { isMissing, readError, SkillwrightError, writeFileAtomic } from 'skillwright/base';
import {
  checkAdvance,
  checkSuccessor,
  cosign,
  decodeEntries,
  type FetchTile,
  generationOf,
  type LogKey,
  type LogSigner,
  type LogWatch,
  type OpenedCheckpoint,
  openCheckpoint,
  originOf,
  type ReadHash,
  readTiles,
  spellVerifierKey,
  tilePath,
  tileWidth,
  watchLog,
} from 'skillwright/transparency-log';
import * as z from 'zod';

/** The state of a log as a witness read it, by origin. */
export type Watches = Map<string, LogWatch>;

/**
 * Cosigns the newest checkpoint of a log, unless the log offers an older one than before. Notices are facts that the people behind
 * the witness should know. Throws E231 when it contradicts what the witness saw before, and E232 when its entries do
 * not lead to it. A log with two entries for one version is not cosigned.
 */
export async function cosignCheckpoint(
  log: LogClient,
  {
    signer,
    state,
    watches,
    now,
  }: {
    readonly signer: LogSigner;
    readonly state: string;
    readonly watches: Watches;
    readonly now: Date;
  },
) {
  const known = knownCheckpoint(state, log.key);
  const checkpoint = await log.checkpoint();
  const notices: string[] = [];
  if (known !== undefined && known.origin !== checkpoint.origin) {
    notices.push(await followOrigin(log, { known, checkpoint }));
  } else {
    const size = Math.max(known?.size ?? 0, checkpoint.size);
    const read = log.hashesOf(checkpoint.origin, size);
    const advance = await checkAdvance({ known, offered: checkpoint, read });
    if (advance === 'fork') throw fork(known!, checkpoint);
    if (advance === 'older') {
      const notice = `the log offers an older checkpoint: size ${checkpoint.size} instead of ${known!.size}`;
      return { checkpoint, cosigned: undefined, notices: [notice] };
    }
  }
  const watch = watches.get(checkpoint.origin) ?? watchLog();
  watches.set(checkpoint.origin, watch);
  await watch.readTo(checkpoint, log.tilesOf(checkpoint.origin));
  if (watch.repeated.length > 0) {
    const shown = watch.repeated.map(({ what, first, second }) => `${what} (entries ${first} and ${second})`);
    return {
      checkpoint,
      cosigned: undefined,
      notices: [...notices, `the log has two entries for ${shown.join(', ')}: it is not cosigned`],
    };
  }
  rememberCheckpoint(state, checkpoint, { key: log.key });
  const time = Math.floor(now.getTime() / 1000);
  return { checkpoint, cosigned: cosign(checkpoint.note, signer, { time }), notices };
}

async function followOrigin(
  log: LogClient,
  { known, checkpoint }: { readonly known: OpenedCheckpoint; readonly checkpoint: OpenedCheckpoint },
): Promise<string> {
  const { lost } = await checkSuccessor({
    known,
    offered: checkpoint,
    firstLeaf: await log.firstLeaf(checkpoint),
    key: log.key,
    read: log.hashesOf(checkpoint.origin, checkpoint.size),
  });
  return `the log started again as ${checkpoint.origin} after ${known.origin}; entries it lost: ${lost}`;
}

function fork(known: OpenedCheckpoint, offered: OpenedCheckpoint): SkillwrightError {
  const detail = `known:\n\n${known.note}\noffered:\n\n${offered.note}`;
  return SkillwrightError.of('E231', { origin: offered.origin }, { detail });
}

/** Signed notes by the verifier key of their log. */
const State = z.record(z.string(), z.string());

/** The newest checkpoint the witness knows of a log; undefined for a new one. Fails on a damaged file. */
function knownCheckpoint(path: string, key: LogKey): OpenedCheckpoint | undefined {
  const note = readState(path)[spellVerifierKey(key)];
  return note === undefined ? undefined : openCheckpoint(note, { key });
}

/** Keeps a checkpoint on disk. Call it before anybody sees the cosignature. */
function rememberCheckpoint(
  path: string,
  { note }: OpenedCheckpoint,
  { key }: { readonly key: LogKey },
): void {
  const state = { ...readState(path), [spellVerifierKey(key)]: note };
  writeFileAtomic(path, `${JSON.stringify(state, undefined, 2)}\n`);
}

function readState(path: string): z.output<typeof State> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return {};
    throw readError(path, error);
  }
  try {
    return State.parse(JSON.parse(text));
  } catch (cause) {
    const help = 'restore the file; without it the witness cannot notice a fork';
    throw SkillwrightError.of('E233', { why: `${path} is damaged` }, { help, cause });
  }
}

/** A log somebody else runs. */
export type LogClient = ReturnType<typeof openLogClient>;

const TIMEOUT_MS = 30_000;
/** A bundle of 256 entries of the greatest length. */
const MAX_BYTES = 256 * 65_537;

/** A client for the log at `url`, which ends with `/log`. */
export function openLogClient(
  url: string,
  { key, fetch }: { readonly key: LogKey; readonly fetch: typeof globalThis.fetch },
) {
  const base = url.replace(/\/+$/, '');
  const request = async (address: string, init: RequestInit = {}): Promise<Uint8Array> => {
    const response = await fetch(address, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw SkillwrightError.of('E200', { url: address }, { cause });
    });
    if (!response.ok) throw unexpected(address, `status ${response.status}`);
    return readBounded(response, address);
  };
  /** Fetches tiles and entries of an origin. */
  const tilesOf =
    (origin: string): FetchTile =>
    (tile) =>
      request(`${originOf(base, generationOf(origin, key.name) ?? 1)}/tile/${tilePath(tile)}`);
  return {
    key,
    checkpoint: async (): Promise<OpenedCheckpoint> => {
      // Other logs have one origin, and no address for the newest.
      const bytes = await request(`${base}/newest`).catch((error: unknown) => {
        if (!(error instanceof SkillwrightError) || error.code !== 'E215') throw error;
        return request(`${base}/checkpoint`);
      });
      const note = Buffer.from(bytes).toString();
      return openCheckpoint(note, { key });
    },
    /** Reads the tree of `size` leaves of an origin. */
    hashesOf: (origin: string, size: number): ReadHash => readTiles(tilesOf(origin), size),
    tilesOf,
    /** The first leaf of an origin. */
    firstLeaf: async ({ origin, size }: OpenedCheckpoint) => {
      const place = { level: 'entries', index: 0 } as const;
      const width = tileWidth(place, size);
      if (width === 0) return new Uint8Array();
      return decodeEntries(await tilesOf(origin)({ ...place, width }), width)[0]!;
    },
    postCosignature: async (note: string) => {
      await request(`${base}/cosignature`, { method: 'POST', body: note });
    },
  };
}

async function readBounded(response: Response, address: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw unexpected(address, 'too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function unexpected(url: string, why: string): SkillwrightError {
  return SkillwrightError.of('E215', { url, why });
}
