// The log at the start of a process.

import { spellVerifierKey } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import { readHighWater } from './high-water.ts';
import { openOrigin } from './log-origin.ts';
import { logSigner } from './log-signer.ts';
import { containsCheckpoint } from './sign-checkpoint.ts';
import { startNewOrigin } from './start-new-origin.ts';

/** The log as it starts. */
interface OpenedLog {
  readonly origin: string;
  /** The verifier key that clients pin. */
  readonly verifier: string;
  /** The origin that was closed because the database knows less than was signed for it. Tell the administrator. */
  readonly replaced: string | null;
}

/** Makes the key and the origin of a new log. Starts a new origin when the database was restored from an older copy. */
export async function openLog(registry: Registry): Promise<OpenedLog> {
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
