// The origin the log writes under. There is one, until a restored backup makes the registry start another.

import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { logSigner } from './log-signer.ts';

/** An origin, and how many leaves it has. */
export interface LogOrigin {
  readonly generation: number;
  readonly name: string;
  readonly origin: string;
  readonly size: number;
}

const COLUMNS = 'generation, name, origin, size';

/** The origin that grows; makes key and origin of a new log. */
export async function openOrigin(tx: Queryable, registry: Registry): Promise<LogOrigin> {
  const [open] = await findOpen(tx);
  if (open !== undefined) return open;
  const { name } = await logSigner(tx, registry);
  await tx.query(
    'insert into log_origins (generation, name, origin) values (1, $1, $1) on conflict do nothing',
    [name],
  );
  const [made] = await findOpen(tx);
  if (made === undefined) throw new Error('the log has no open origin');
  return made;
}

/** Makes room for new leaves, and locks the origin until the transaction ends. */
export async function growOrigin(tx: Queryable, registry: Registry, leaves: number): Promise<LogOrigin> {
  const grow = () =>
    tx.query<LogOrigin>(
      `update log_origins set size = size + $1 where closed_at is null returning ${COLUMNS}`,
      [leaves],
    );
  const [grown] = await grow();
  if (grown !== undefined) return grown;
  await openOrigin(tx, registry);
  const [first] = await grow();
  if (first === undefined) throw new Error('the log has no open origin');
  return first;
}

/** The origin with this number, open or closed. */
export async function findOrigin(tx: Queryable, generation: number): Promise<LogOrigin | undefined> {
  const sql = `select ${COLUMNS} from log_origins where generation = $1`;
  const [origin] = await tx.query<LogOrigin>(sql, [generation]);
  return origin;
}

function findOpen(tx: Queryable): Promise<LogOrigin[]> {
  return tx.query<LogOrigin>(`select ${COLUMNS} from log_origins where closed_at is null`);
}
