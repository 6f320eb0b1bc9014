// Proofs that registries' logs contain the installed versions, next to the lock and committed with it.

import { rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orUndefined } from '../../../base/diagnostics/index.ts';
import { isMissing, readRegularFile, refuseLinks, writeFileAtomic } from '../../../base/files/index.ts';
import type { Resolution } from '../source/fetched-source.ts';
import type { InstallPlace } from './install-place.ts';

/** Largest proof. */
export const MAX_PROOF_BYTES = 256 * 1024;

/** The file of a skill's proof. */
function proofPath(name: string, { store }: Pick<InstallPlace, 'store'>): string {
  return join(store.root, 'proofs', `${name}.txt`);
}

/** The kept proof of a skill, unchecked; null when there is none. */
export function readProof(name: string, place: Pick<InstallPlace, 'store'>): string | null {
  const path = proofPath(name, place);
  const bytes = orUndefined(() => {
    refuseLinks(place.store.root, path);
    return readRegularFile(path, { maxBytes: MAX_PROOF_BYTES });
  });
  return bytes?.toString('utf8') ?? null;
}

/** The proof to keep for a version: a new one, the present one (undefined) if the version stays, or none. */
export function proofAfter(
  fetched: string | undefined,
  { before, after }: { readonly before: Resolution | undefined; readonly after: Resolution },
): string | null | undefined {
  if (fetched !== undefined) return fetched;
  const isSame = before?.document !== undefined && before.document === after.document;
  return isSame ? undefined : null;
}

/** Writes or removes the proof of a skill. Idempotent. E016, and E017 for links. */
export function keepProof(name: string, text: string | null, place: Pick<InstallPlace, 'store'>): void {
  if (readProof(name, place) === text) return;
  const path = proofPath(name, place);
  refuseLinks(place.store.root, path);
  if (text !== null) {
    writeFileAtomic(path, text);
    return;
  }
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch (error) {
    // Other proofs are in it.
    if (!isFull(error) && !isMissing(error)) throw error;
  }
}

const isFull = (error: unknown) =>
  ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
