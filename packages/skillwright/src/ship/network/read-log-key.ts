// The key that a registry offers for its transparency log.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { checkUrl } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { misunderstood } from './network-error.ts';

const MAX_BYTES = 4096;
const KEY = /^[^\s+]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{40,200}={0,2}$/;

/** The key at `log/key`, as a verifier key `name+hash+key`; undefined when the registry has no log. E215 for anything else. */
export async function readLogKey(
  registry: string,
  { fetcher, signal }: { readonly fetcher: Fetcher; readonly signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  const url = new URL('log/key', checkUrl(registry));
  try {
    const { body } = await fetcher.get(url, { accept: 'text/plain', maxBytes: MAX_BYTES, signal });
    const key = Buffer.from(body).toString('utf8').trim();
    if (!KEY.test(key)) throw misunderstood(url, 'not the key of a log');
    return key;
  } catch (error) {
    if (error instanceof SkillwrightError && error.code === 'E201') return undefined;
    throw error;
  }
}
