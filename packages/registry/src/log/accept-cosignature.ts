// Cosignatures of witnesses.

import { SkillwrightError } from 'skillwright/base';
import {
  type Checkpoint,
  isSameHash,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  spellVerifierKey,
  type VerifiedSignature,
} from 'skillwright/transparency-log';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';

/** Seconds that the clock of a witness may be ahead. */
const MAX_AHEAD = 86_400;

/** Keeps the cosignatures of known witnesses under a checkpoint that this log signed. Returns their names. */
export async function acceptCosignature(registry: Registry, note: string): Promise<string[]> {
  const { origin, size, root, cosignatures } = openCosigned(note, registry.settings.witnesses);
  const latest = registry.now().getTime() / 1000 + MAX_AHEAD;
  if (cosignatures.some(({ time }) => time === null || time > latest))
    throw new Failure('bad_request', 'a cosignature is of the future: check the clock of the witness');
  return registry.database.transaction(async (tx) => {
    const [signed] = await tx.query<{ generation: number; root: Uint8Array }>(
      `select c.generation, c.root from log_checkpoints c join log_origins o on o.generation = c.generation
       where o.origin = $1 and c.size = $2`,
      [origin, size],
    );
    if (signed === undefined || !isSameHash(signed.root, root)) {
      throw new Failure('not_found', 'this log did not sign that checkpoint');
    }
    for (const { key, time, line } of cosignatures) {
      await tx.query(
        `insert into log_cosignatures (generation, size, witness, line, cosigned_at)
         values ($1, $2, $3, $4, to_timestamp($5::float8))
         on conflict (generation, size, witness) do update set line = excluded.line, cosigned_at = excluded.cosigned_at
         where log_cosignatures.cosigned_at < excluded.cosigned_at`,
        [signed.generation, size, spellVerifierKey(key), line, time],
      );
    }
    return cosignatures.map(({ key }) => key.name);
  });
}

function openCosigned(
  note: string,
  witnesses: readonly string[],
): Checkpoint & { readonly cosignatures: readonly VerifiedSignature[] } {
  const keys = witnesses.map(parseVerifierKey).filter(({ kind }) => kind === 'cosignature');
  try {
    const { text, verified } = openNote(note, keys);
    return { ...parseCheckpoint(text), cosignatures: verified };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    if (error.code === 'E230') throw new Failure('forbidden', 'no witness of this registry cosigned that');
    throw new Failure('bad_request', error.message);
  }
}
