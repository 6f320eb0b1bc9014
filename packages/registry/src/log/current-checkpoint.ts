// The newest checkpoint: signed when somebody asks for it, for committed leaves alone.

import { rootOf, signNote, spellCheckpoint } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/database.ts';
import { raiseHighWater } from './high-water.ts';
import { type LogOrigin, openOrigin } from './log-origin.ts';
import { logSigner } from './log-signer.ts';
import { readStoredHashes } from './stored-hashes.ts';

/** A checkpoint as the registry serves it. */
export interface ServedCheckpoint extends LogOrigin {
  /** The signed note, without cosignatures. */
  readonly note: string;
  /** Lines of the witnesses who cosigned it. */
  readonly cosignatures: string;
}

/** The newest checkpoint of the open origin. */
export async function currentCheckpoint(registry: Registry): Promise<ServedCheckpoint> {
  const { database } = registry;
  const [signed] = await database.query<ServedCheckpoint>(
    `select ${COLUMNS} from log_origins o join log_checkpoints c on c.generation = o.generation and c.size = o.size
     where o.closed_at is null`,
  );
  if (signed !== undefined) return signed;
  return database.transaction(async (tx) => {
    const origin = await openOrigin(tx, registry);
    return { ...origin, note: await signCheckpoint(tx, registry, origin), cosignatures: '' };
  });
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

/** Signs what an origin has now. The caller read its size in this transaction. */
export async function signCheckpoint(
  tx: Queryable,
  registry: Registry,
  { generation, origin, size }: LogOrigin,
): Promise<string> {
  const signer = await logSigner(tx, registry);
  const root = await rootOf(size, readStoredHashes(tx, generation));
  const note = signNote(spellCheckpoint({ origin, size, root }), [signer]);
  raiseHighWater(registry, note, { key: signer });
  await tx.query(
    `insert into log_checkpoints (generation, size, root, note) values ($1, $2, $3, $4)
     on conflict (generation, size) do nothing`,
    [generation, size, root, note],
  );
  return note;
}

const COLUMNS = `o.generation, o.name, o.origin, c.size, c.note,
  coalesce((select string_agg(s.line, '' order by s.witness) from log_cosignatures s
    where s.generation = c.generation and s.size = c.size), '') as cosignatures`;
