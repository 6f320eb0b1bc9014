// Signed notes, C2SP signed-note: a text, an empty line, and one line per signature. Cosignatures of witnesses are signatures
// with a time (C2SP tlog-cosignature).

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isKeyName, isSignedBy, type LogKey, type LogSigner } from './log-key.ts';
import { decodeBase64, malformed } from './log-text.ts';

const MAX_NOTE_BYTES = 1_000_000;
const MAX_SIGNATURES = 100;
const ID_BYTES = 4;
const TIME_BYTES = 8;

/** A signature that was checked. */
export interface VerifiedSignature {
  readonly key: LogKey;
  /** When a witness cosigned, in seconds since 1970; null for a signature of a log. */
  readonly time: number | null;
  /** Its line in the note, with the newline. */
  readonly line: string;
}

/** The note: a text that ends with a newline, signed by each signer of kind `note`. */
export function signNote(text: string, signers: readonly LogSigner[]): string {
  if (!isNoteText(text))
    throw malformed('the text of a note must end with a newline and have no control characters');
  if (signers.some(({ kind }) => kind !== 'note')) throw malformed('the key of a witness cannot sign a note');
  return `${text}\n${signers.map((signer) => signatureLine(signer, signer.sign(Buffer.from(text)))).join('')}`;
}

/** The note with the cosignature of a witness added. `time` is in seconds since 1970. */
export function cosign(note: string, signer: LogSigner, { time }: { readonly time: number }): string {
  return note + cosignatureLine(note, signer, { time });
}

/** The line that a witness adds to a note. */
export function cosignatureLine(
  note: string,
  signer: LogSigner,
  { time }: { readonly time: number },
): string {
  if (signer.kind !== 'cosignature') throw malformed('the key of a log cannot cosign');
  const { text } = splitNote(note);
  const timeBytes = Buffer.alloc(TIME_BYTES);
  timeBytes.writeBigUInt64BE(BigInt(time));
  return signatureLine(signer, Buffer.concat([timeBytes, signer.sign(cosignedMessage(text, time))]));
}

/**
 * Checks a note against known keys. Throws E230 when none of them signed it, or when a signature of a known key is wrong; E233
 * when it is not a note. Ignores signatures of other keys; `unverified` has their names.
 */
export function openNote(note: string, verifiers: readonly LogKey[]) {
  const { text, signatures } = splitNote(note);
  const verified = new Map<LogKey, VerifiedSignature>();
  const unverified: string[] = [];
  for (const { name, id, bytes, line } of signatures) {
    const key = verifiers.find((verifier) => verifier.name === name && verifier.id === id);
    if (key === undefined) {
      unverified.push(name);
      continue;
    }
    const time = checkSignature(text, { key, bytes });
    if (time === undefined) throw notSigned(text, `the signature of ${name} is wrong`);
    if (!verified.has(key)) verified.set(key, { key, time, line: `${line}\n` });
  }
  if (verified.size === 0) {
    const wanted = verifiers.map(({ name, id }) => `${name}+${id}`).join(', ');
    throw notSigned(text, `it needs a signature of ${wanted === '' ? 'a known key' : wanted}`);
  }
  return { text, verified: [...verified.values()], unverified };
}

/** The time of a cosignature, null for a signature of a log; undefined when it is wrong. */
function checkSignature(
  text: string,
  { key, bytes }: { readonly key: LogKey; readonly bytes: Uint8Array },
): number | null | undefined {
  if (key.kind === 'note') {
    return isSignedBy(key, { message: Buffer.from(text), signature: bytes }) ? null : undefined;
  }
  if (bytes.length < TIME_BYTES) return undefined;
  const time = Number(Buffer.from(bytes.subarray(0, TIME_BYTES)).readBigUInt64BE());
  if (!Number.isSafeInteger(time)) return undefined;
  const message = cosignedMessage(text, time);
  return isSignedBy(key, { message, signature: bytes.subarray(TIME_BYTES) }) ? time : undefined;
}

function cosignedMessage(text: string, time: number): Uint8Array {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}

function signatureLine({ name, id }: LogKey, signature: Uint8Array): string {
  return `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`;
}

function isNoteText(text: string): boolean {
  return text.endsWith('\n') && text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
}

function splitNote(note: string) {
  if (note.length > MAX_NOTE_BYTES) throw malformed('a signed note is too long');
  const cut = note.lastIndexOf('\n\n');
  if (cut === -1 || !isNoteText(note)) throw malformed('not a signed note');
  const lines = note
    .slice(cut + 2)
    .split('\n')
    .slice(0, -1);
  if (lines.length === 0) throw malformed('a note has no signature');
  if (lines.length > MAX_SIGNATURES) throw malformed(`a note has ${lines.length} signatures`);
  return { text: note.slice(0, cut + 1), signatures: lines.map(readSignature) };
}

function readSignature(line: string) {
  const [dash, name, base64, ...more] = line.split(' ');
  const bytes = decodeBase64(base64 ?? '');
  if (dash !== '—' || name === undefined || !isKeyName(name) || bytes === undefined || more.length > 0) {
    throw malformed('a note has a line that is not a signature');
  }
  if (bytes.length <= ID_BYTES) throw malformed('a note has a signature that is too short');
  const id = Buffer.from(bytes.subarray(0, ID_BYTES)).toString('hex');
  return { name, id, bytes: bytes.subarray(ID_BYTES), line };
}

function notSigned(text: string, detail: string): SkillwrightError {
  const [origin = ''] = text.split('\n');
  return SkillwrightError.of('E230', { origin }, { detail });
}
