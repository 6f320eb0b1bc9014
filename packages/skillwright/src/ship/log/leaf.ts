// Leaves of a registry's log. The leaf of a public entry is the entry itself; the leaf of a private one commits to it with a
// salt and reveals nothing, not even the skill's name. See docs/registry-log.md.

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LogEntry } from '../protocol/index.ts';
import { canonicalJson, decodeBase64, malformed } from './log-text.ts';

/** Bytes of a salt. */
export const SALT_BYTES = 32;

/** An entry, and the salt if its leaf is a commitment. */
export interface LeafOpening {
  readonly entry: LogEntry;
  readonly salt: Uint8Array | null;
}

/** The bytes of an entry: JSON with sorted keys and no white space, in UTF-8. */
export function spellEntry(entry: LogEntry): Uint8Array {
  return Buffer.from(canonicalJson(entry));
}

/** The bytes of the leaf: the entry, or `{"commitment":"sha256:…"}` over salt and entry. */
export function leafOf({ entry, salt }: LeafOpening): Uint8Array {
  const bytes = spellEntry(entry);
  if (salt === null) return bytes;
  if (salt.length !== SALT_BYTES) throw malformed(`a salt has ${SALT_BYTES} bytes`);
  const hash = createHash('sha256').update(salt).update(bytes).digest('hex');
  return Buffer.from(canonicalJson({ commitment: `sha256:${hash}` }));
}

/** Reads a public leaf; undefined for a commitment. Throws E233. */
export function parseLeaf(leaf: Uint8Array): LogEntry | undefined {
  const value = parseJson(leaf);
  if (Commitment.safeParse(value).success) return undefined;
  const entry = LogEntry.safeParse(value);
  if (!entry.success || Buffer.compare(spellEntry(entry.data), leaf) !== 0)
    throw malformed('a leaf is not an entry');
  return entry.data;
}

/** The extra data of a proof: the entry, with its salt if the leaf is a commitment. */
export function spellOpening({ entry, salt }: LeafOpening): Uint8Array {
  const text = salt === null ? {} : { salt: Buffer.from(salt).toString('base64') };
  return Buffer.from(canonicalJson({ entry, ...text }));
}

/** Reads the extra data of a proof. Nothing signs it; only the leaf made of it counts. Throws E233. */
export function parseOpening(extra: Uint8Array): LeafOpening {
  const opening = Opening.safeParse(parseJson(extra));
  if (!opening.success) throw malformed('the extra data of a log proof is not an entry');
  const { entry, salt } = opening.data;
  const bytes = salt === undefined ? null : decodeBase64(salt);
  if (bytes === undefined || (bytes !== null && bytes.length !== SALT_BYTES)) {
    throw malformed('the salt of a log proof is not a salt');
  }
  return { entry, salt: bytes };
}

const Commitment = z.strictObject({ commitment: z.string().regex(/^sha256:[0-9a-f]{64}$/) });
const Opening = z.object({ entry: LogEntry, salt: z.string().optional() });

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw malformed('a log entry is not JSON');
  }
}
