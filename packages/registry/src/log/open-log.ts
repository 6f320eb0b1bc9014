// The log at the start of a process, its newest checkpoint, and its new origin after a restored backup. The log may then have
// forgotten leaves that clients have seen. It must not sign its old origin again, or it would show them another past. It starts a
// new origin, which records the end of the old one and takes over its leaves.

import type { LogEntry } from 'skillwright/registry-protocol';
import {
  generationOf,
  appendLeaf as growTree,
  hashLeaf,
  originOf,
  type ReadHash,
  type SubtreeHash,
  spellVerifierKey,
} from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { appendLeaves } from './append-leaf.ts';
import { readHighWater, rememberServed } from './high-water.ts';
import { type LogOrigin, logSigner, openOrigin } from './log-origin.ts';
import {
  COLUMNS,
  containsCheckpoint,
  LostEntries,
  lastCheckpoint,
  type ServedCheckpoint,
  signCheckpoint,
  waitToSign,
} from './sign-checkpoint.ts';
import { INSERT_HASHES, spellHashes } from './stored-hashes.ts';

/**
 * Makes the key and the origin of a new log, and returns the key that clients pin. Starts a new origin when the database was restored
 * from an older copy; `replaced` is then the origin that was closed: tell the administrator.
 */
export async function openLog(registry: Registry) {
  const [signer, open] = await registry.database.transaction(async (tx) => [
    await logSigner(tx, registry),
    await openOrigin(tx, registry),
  ]);
  const verifier = spellVerifierKey(signer);
  const highest = readHighWater(registry, signer);
  if (highest === undefined || (await containsCheckpoint(registry.database, open, highest))) {
    return { origin: open.origin, verifier, replaced: null };
  }
  const { origin } = await startNewOrigin(registry, { ifOpen: open.generation });
  return { origin, verifier, replaced: highest.origin };
}

/** The verifier key that clients pin. */
export async function logVerifier(registry: Registry): Promise<string> {
  return spellVerifierKey(await registry.database.transaction((tx) => logSigner(tx, registry)));
}

/** Leaves whose hashes are stored by one statement. */
const BATCH = 1000;

/**
 * Closes the origin of a restored database and starts another. `ifOpen` is for processes that start at once: nothing happens
 * when another one closed that origin already.
 */
export async function startNewOrigin(
  registry: Registry,
  { ifOpen }: { readonly ifOpen?: number } = {},
): Promise<LogOrigin> {
  // Taking over the leaves of a large log takes longer than a request may.
  return registry.database.transaction((tx) => replaceOrigin(tx, registry, { ifOpen }), {
    statementTimeout: 0,
  });
}

async function replaceOrigin(
  tx: Queryable,
  registry: Registry,
  { ifOpen }: { readonly ifOpen?: number | undefined },
): Promise<LogOrigin> {
  await openOrigin(tx, registry);
  await tx.query('select from log_origins where closed_at is null for update');
  const old = await openOrigin(tx, registry);
  if (ifOpen !== undefined && old.generation !== ifOpen) return old;
  const entry = await recordEnd(tx, registry, old);
  await tx.query('update log_origins set closed_at = $2 where generation = $1', [
    old.generation,
    registry.now(),
  ]);
  // The same backup may be restored twice, so counting is not enough to get a new name.
  const seconds = Math.floor(registry.now().getTime() / 1000);
  const before = generationOf(entry.previous, old.name) ?? old.generation;
  const generation = Math.max(seconds, before + 1, old.generation + 1);
  const origin = originOf(old.name, generation);
  await tx.query('insert into log_origins (generation, name, origin) values ($1, $2, $3)', [
    generation,
    old.name,
    origin,
  ]);
  await appendLeaves(tx, registry, [{ entry, isPrivate: false }]);
  await takeOver(tx, { from: old.generation, to: generation });
  return openOrigin(tx, registry);
}

async function recordEnd(
  tx: Queryable,
  registry: Registry,
  old: LogOrigin,
): Promise<LogEntry & { kind: 'origin' }> {
  const key = await logSigner(tx, registry);
  const highest = readHighWater(registry, key);
  const stored = await lastCheckpoint(tx, old.generation);
  const above = highest === undefined ? 0 : (generationOf(highest.origin, key.name) ?? 0) - old.generation;
  const isHigher = above > 0 || (highest !== undefined && above === 0 && highest.size >= (stored?.size ?? 0));
  // Where nothing was signed, signing the restored leaves contradicts no earlier checkpoint.
  const end = isHigher ? highest! : (stored ?? (await signCheckpoint(tx, registry, old)));
  return {
    kind: 'origin',
    previous: end.origin,
    checkpoint: end.note,
    kept: old.size,
    time: registry.now().toISOString(),
  };
}

/** Repeats the leaves of one origin in another that has one leaf. */
async function takeOver(
  tx: Queryable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await tx.query(
    `insert into log_leaves (generation, index, kind, leaf, entry, salt, subject, skill_id, version_id, logged_at)
     select $2, row_number() over (order by index), kind, leaf, entry, salt, subject, skill_id, version_id, logged_at
     from log_leaves where generation = $1 and kind <> 'origin'`,
    [from, to],
  );
  const last = new Map<number, Uint8Array>();
  const read: ReadHash = async (level) => last.get(level)!;
  let size = 0;
  for (;;) {
    const rows = await tx.query<{ leaf: Uint8Array }>(
      'select leaf from log_leaves where generation = $1 and index >= $2 and index < $3 order by index',
      [to, size, size + BATCH],
    );
    const hashes: SubtreeHash[] = [];
    for (const { leaf } of rows) {
      const added = await growTree(size, hashLeaf(leaf), read);
      for (const { level, hash } of added) last.set(level, hash);
      // The first leaf's hash is stored already.
      hashes.push(...(size === 0 ? [] : added));
      size += 1;
    }
    await tx.query(INSERT_HASHES, [to, spellHashes(hashes)]);
    if (rows.length < BATCH) break;
  }
  await tx.query('update log_origins set size = $2 where generation = $1', [to, size]);
}

/** The newest checkpoint of the open origin. */
export async function currentCheckpoint(registry: Registry): Promise<ServedCheckpoint> {
  const signed = await findSigned(registry.database);
  if (signed !== undefined) {
    rememberServed(registry, signed);
    return signed;
  }
  try {
    return await signCurrent(registry);
  } catch (error) {
    if (!(error instanceof LostEntries)) throw error;
    const { origin } = await startNewOrigin(registry, { ifOpen: error.generation });
    registry.onNewOrigin?.({ replaced: error.lost.origin, origin });
    return signCurrent(registry);
  }
}

async function signCurrent(registry: Registry): Promise<ServedCheckpoint> {
  return registry.database.transaction(async (tx) => {
    await waitToSign(tx);
    // Another process may have signed it meanwhile.
    const signed = await findSigned(tx);
    if (signed !== undefined) return signed;
    // The log may grow on: the checkpoint is for the size that was read here.
    return signCheckpoint(tx, registry, await openOrigin(tx, registry));
  });
}

async function findSigned(tx: Queryable): Promise<ServedCheckpoint | undefined> {
  const [signed] = await tx.query<ServedCheckpoint>(
    `select ${COLUMNS} from log_origins o join log_checkpoints c on c.generation = o.generation and c.size = o.size
     where o.closed_at is null`,
  );
  return signed;
}
