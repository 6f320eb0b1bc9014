// The key that a registry offers for its transparency log.

import { orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import { parseVerifierKey, spellVerifierKey } from '../log/index.ts';
import type { RegistryClient } from './registry-client.ts';

/** The key that the registry offers, normalised; undefined when it offers none that can be used. */
export async function readLogKey(
  client: Pick<RegistryClient, 'log'>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  const bytes = await client.log('key', signal === undefined ? {} : { signal }).catch((error: unknown) => {
    if (error instanceof SkillwrightError) return undefined;
    throw error;
  });
  return bytes && orUndefined(() => spellVerifierKey(parseVerifierKey(Buffer.from(bytes).toString())));
}
