// The origin the log writes under, and the key that signs it. There is one origin, until a restored backup makes the registry
// start another.

import { SkillwrightError } from 'skillwright/base';
import { generateLogKey, type LogSigner, parseSigner } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';

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

const KEY = 'log';

/** The signing key: from the settings, else from the database, where the first call makes it. */
export async function logSigner(tx: Queryable, registry: Registry): Promise<LogSigner> {
  const given = registry.settings.logSigningKey;
  const signer = parseSigner(given ?? (await storedSecret(tx)) ?? (await makeSecret(tx, registry)));
  const [first] = await tx.query<{ name: string }>('select name from log_origins limit 1');
  if (first !== undefined && first.name !== signer.name) {
    const why = `the key is for ${signer.name}, but the log of this registry is ${first.name}`;
    const help = 'remove the setting, or set the key this log began with';
    throw SkillwrightError.of('E110', { where: 'logSigningKey', why }, { help });
  }
  return signer;
}

/** The name of a log: where clients find it, without the scheme. It stays when the registry moves. */
function logName(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}/log`;
}

async function storedSecret(tx: Queryable): Promise<string | undefined> {
  const [row] = await tx.query<{ value: { secret: string } }>('select value from settings where key = $1', [
    KEY,
  ]);
  return row?.value.secret;
}

async function makeSecret(tx: Queryable, registry: Registry): Promise<string> {
  const { secret } = generateLogKey(logName(registry.publicUrl));
  await tx.query('insert into settings (key, value) values ($1, $2::jsonb) on conflict (key) do nothing', [
    KEY,
    json({ secret }),
  ]);
  // Another process may have been first.
  return (await storedSecret(tx)) ?? secret;
}
