// Checkpoints as the database keeps them.

import type { Queryable } from '../store/index.ts';
import type { LogOrigin } from './log-origin.ts';

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
