// The newest checkpoint: signed when somebody asks for it.

import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { rememberServed } from './high-water.ts';
import { openOrigin } from './log-origin.ts';
import {
  COLUMNS,
  LostEntries,
  type ServedCheckpoint,
  signCheckpoint,
  waitToSign,
} from './sign-checkpoint.ts';
import { startNewOrigin } from './start-new-origin.ts';

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
