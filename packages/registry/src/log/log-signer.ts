// The key that signs the log.

import { SkillwrightError } from 'skillwright/base';
import { generateLogKey, type LogSigner, parseSigner } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';

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
