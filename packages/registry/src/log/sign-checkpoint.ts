// Signs checkpoints, for committed leaves alone, and never one that contradicts an earlier one.

import { generationOf, isSameHash, rootOf, signNote, spellCheckpoint } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { type HighWater, raiseHighWater, readHighWater } from './high-water.ts';
import type { LogOrigin } from './log-origin.ts';
import { logSigner } from './log-origin.ts';
import { readStoredHashes } from './stored-hashes.ts';

/** Processes sign one after the other. */
const LOCK = 7_235_002;

/** The database lacks what was signed: it was set back without the restore command. */
export class LostEntries extends Error {
  readonly lost: HighWater;
  readonly generation: number;

  constructor(lost: HighWater, { generation }: LogOrigin) {
    super(`the database does not contain the ${lost.size} leaves that were signed for ${lost.origin}`);
    this.lost = lost;
    this.generation = generation;
  }
}

/** Waits for others who sign. Read the size of the origin afterwards: it then contains everything they signed. */
export async function waitToSign(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** Signs what an origin has now. The caller read its size in this transaction, after `waitToSign`. Fails with `LostEntries`. */
export async function signCheckpoint(
  tx: Queryable,
  registry: Registry,
  open: LogOrigin,
): Promise<ServedCheckpoint> {
  const { generation, origin, size } = open;
  const signer = await logSigner(tx, registry);
  const highest = readHighWater(registry, signer);
  if (highest !== undefined && !(await containsCheckpoint(tx, open, highest)))
    throw new LostEntries(highest, open);
  const root = await rootOf(size, readStoredHashes(tx, generation));
  const note = signNote(spellCheckpoint({ origin, size, root }), [signer]);
  raiseHighWater(registry, note, { key: signer });
  await tx.query(
    `insert into log_checkpoints (generation, size, root, note) values ($1, $2, $3, $4)
     on conflict (generation, size) do nothing`,
    [generation, size, root, note],
  );
  return { ...open, root, note, cosignatures: '' };
}

/** Whether the open origin contains a checkpoint, or comes after the origin of it. */
export async function containsCheckpoint(
  tx: Queryable,
  open: LogOrigin,
  { origin, size, root }: Pick<HighWater, 'origin' | 'size' | 'root'>,
): Promise<boolean> {
  const generation = generationOf(origin, open.name) ?? 0;
  if (generation !== open.generation) return generation < open.generation;
  if (size > open.size) return false;
  return isSameHash(root, await rootOf(size, readStoredHashes(tx, generation)));
}

/** A checkpoint as the registry serves it. */
export interface ServedCheckpoint extends LogOrigin {
  readonly root: Uint8Array;
  /** The signed note, without cosignatures. */
  readonly note: string;
  /** Lines of the witnesses who cosigned it. */
  readonly cosignatures: string;
}

/** Columns of a checkpoint `c` of the origin `o`. */
export const COLUMNS = `o.generation, o.name, o.origin, c.size, c.root, c.note,
  coalesce((select string_agg(s.line, '' order by s.witness) from log_cosignatures s
    where s.generation = c.generation and s.size = c.size), '') as cosignatures`;

/** The newest checkpoint with a leaf that the most witnesses have cosigned; undefined when none has. */
export async function witnessedCheckpoint(
  tx: Queryable,
  { generation, index }: { readonly generation: number; readonly index: number },
): Promise<ServedCheckpoint | undefined> {
  const [found] = await tx.query<ServedCheckpoint>(
    `select ${COLUMNS} from log_origins o join log_checkpoints c on c.generation = o.generation
       join (select generation, size, count(*) as witnesses from log_cosignatures
         where generation = $1 and size > $2 group by generation, size
         order by size desc limit 100) w on w.generation = c.generation and w.size = c.size
     order by w.witnesses desc, c.size desc limit 1`,
    [generation, index],
  );
  return found;
}

/** The last checkpoint that was signed for an origin; undefined when none was. */
export async function lastCheckpoint(
  tx: Queryable,
  generation: number,
): Promise<ServedCheckpoint | undefined> {
  const [last] = await tx.query<ServedCheckpoint>(
    `select ${COLUMNS} from log_origins o join log_checkpoints c on c.generation = o.generation
     where o.generation = $1 order by c.size desc limit 1`,
    [generation],
  );
  return last;
}
