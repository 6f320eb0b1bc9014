// Leaves of a registry's log. The leaf of a public entry is the entry itself; the leaf of a private one commits to it with a
// salt and reveals nothing, not even the skill's name. The leaf of a private version also carries its subject: the one value that
// the log's key has for this version, so that a second leaf for it is recognised by everybody. See docs/registry-log.md.

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LogEntry } from '../protocol/index.ts';
import type { LogKey, LogSigner } from './log-key.ts';
import { canonicalJson, decodeBase64, malformed } from './log-text.ts';
import { checkVrf } from './vrf.ts';

/** Bytes of a salt. */
export const SALT_BYTES = 32;

/** An entry, and the salt if its leaf is a commitment. */
export interface LeafOpening {
  readonly entry: LogEntry;
  readonly salt: Uint8Array | null;
  /** `sha256:…`, of a private version. */
  readonly subject?: string | undefined;
}

/** The bytes of an entry: JSON with sorted keys and no white space, in UTF-8. */
export function spellEntry(entry: LogEntry): Uint8Array {
  return Buffer.from(canonicalJson(entry));
}

/** The bytes of the leaf: the entry, or `{"commitment":"sha256:…"}` over salt and entry. */
export function leafOf({ entry, salt, subject }: LeafOpening): Uint8Array {
  const bytes = spellEntry(entry);
  if (salt === null) return bytes;
  if (salt.length !== SALT_BYTES) throw malformed(`a salt has ${SALT_BYTES} bytes`);
  const hash = createHash('sha256').update(salt).update(bytes).digest('hex');
  const commitment = `sha256:${hash}`;
  return Buffer.from(canonicalJson(subject === undefined ? { commitment } : { commitment, subject }));
}

const SUBJECT = 'skillwright log subject\n';

/** The text whose value makes the subjects of a skill's versions. */
const subjectText = (name: string): Uint8Array => Buffer.from(`${SUBJECT}${name}`);

function spellSubject(value: Uint8Array, version: string): string {
  return `sha256:${createHash('sha256').update(value).update(version).digest('hex')}`;
}

/** The subjects of the versions of a skill, computed by the log itself. */
export function subjectsOf(name: string, signer: LogSigner): (version: string) => string {
  const value = signer.valueOf(subjectText(name));
  return (version) => spellSubject(value, version);
}

/** The proof that a subject is the one of a skill, for those who may know its name. */
export function proveSubject(name: string, signer: LogSigner): Uint8Array {
  return signer.proveValue(subjectText(name));
}

/** The subject of a version. Throws E233 when the proof is not one of this skill and key. */
function checkSubject(
  { name, version }: { readonly name: string; readonly version: string },
  { key, proof }: { readonly key: LogKey; readonly proof: Uint8Array },
): string {
  const value = checkVrf(key.publicKey, { text: subjectText(name), proof });
  if (value === undefined) throw malformed('the subject of a private leaf is not proved');
  return spellSubject(value, version);
}

/** The public part of a leaf: its entry, or the subject of a private version; neither for other commitments. Throws E233. */
export function readLeaf(leaf: Uint8Array): { readonly entry?: LogEntry; readonly subject?: string } {
  const commitment = Commitment.safeParse(parseJson(leaf));
  if (!commitment.success) return { entry: parseLeaf(leaf)! };
  const { subject } = commitment.data;
  return subject === undefined ? {} : { subject };
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

/** The extra data of a proof: the entry; if the leaf is a commitment with its salt, and the proof of its subject. */
export function spellOpening({
  entry,
  salt,
  proof,
}: LeafOpening & { readonly proof?: Uint8Array | undefined }): Uint8Array {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const text = salt === null ? {} : { salt: base64(salt) };
  return Buffer.from(
    canonicalJson({ entry, ...text, ...(proof === undefined ? {} : { subject: base64(proof) }) }),
  );
}

/** Reads the extra data of a proof. Nothing signs it; only the leaf made of it counts. Throws E233. */
export function parseOpening(extra: Uint8Array, key: LogKey): LeafOpening {
  const opening = Opening.safeParse(parseJson(extra));
  if (!opening.success) throw malformed('the extra data of a log proof is not an entry');
  const { entry, salt, subject } = opening.data;
  const bytes = salt === undefined ? null : decodeBase64(salt);
  if (bytes === undefined || (bytes !== null && bytes.length !== SALT_BYTES)) {
    throw malformed('the salt of a log proof is not a salt');
  }
  if (bytes === null || entry.kind !== 'version') return { entry, salt: bytes };
  const proof = decodeBase64(subject ?? '');
  if (proof === undefined) throw malformed('the subject of a log proof is not Base64');
  return { entry, salt: bytes, subject: checkSubject(entry, { key, proof }) };
}

const Hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const Commitment = z.strictObject({ commitment: Hash, subject: Hash.optional() });
const Opening = z.object({
  entry: LogEntry,
  salt: z.string().optional(),
  subject: z.string().optional(),
});

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw malformed('a log entry is not JSON');
  }
}
