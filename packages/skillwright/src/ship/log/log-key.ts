// Keys of signed notes, C2SP signed-note: Ed25519, for a log's own signatures or for a witness's cosignatures.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { decodeBase64, malformed } from './log-text.ts';
import { proveVrf, vrfValue } from './vrf.ts';

/** How a key signs: `note` signs the text, `cosignature` the text with a time, as a witness does. */
type KeyKind = 'note' | 'cosignature';

const typeByte = { note: 1, cosignature: 4 } as const;
const KEY_BYTES = 32;

/** The public part of a key. */
export interface LogKey {
  readonly name: string;
  /** 8 hex digits. */
  readonly id: string;
  readonly kind: KeyKind;
  readonly publicKey: Uint8Array;
}

/** A key that signs. */
export interface LogSigner extends LogKey {
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** The one value that this key has for a text, and the proof of it. */
  readonly valueOf: (text: Uint8Array) => Uint8Array;
  readonly proveValue: (text: Uint8Array) => Uint8Array;
}

/** Whether a text can be the name of a key. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !/[\s+\u0000-\u001f\u007f-\u009f]/u.test(name);
}

function makeKey(name: string, { kind, publicKey }: Pick<LogKey, 'kind' | 'publicKey'>): LogKey {
  const hash = createHash('sha256')
    .update(`${name}\n`)
    .update(Uint8Array.of(typeByte[kind]))
    .update(publicKey);
  return { name, id: hash.digest('hex').slice(0, 8), kind, publicKey };
}

/** The verifier key as text: `<name>+<id>+<base64>`. */
export function spellVerifierKey({ name, id, kind, publicKey }: LogKey): string {
  return `${name}+${id}+${Buffer.of(typeByte[kind], ...publicKey).toString('base64')}`;
}

/** Reads `<name>+<id>+<base64>`. */
export function parseVerifierKey(text: string): LogKey {
  const [name, id, bytes] = readParts(text.trim(), 'verifier key');
  const key = makeKey(name, bytes);
  if (key.id !== id) throw malformed('the id of a verifier key does not fit its name and bytes');
  return key;
}

/** Reads the secret form of a key: `PRIVATE+KEY+<name>+<id>+<base64>`. */
export function parseSigner(secret: string): LogSigner {
  const prefix = 'PRIVATE+KEY+';
  const text = secret.trim();
  if (!text.startsWith(prefix)) throw malformed(`a signing key starts with ${prefix}`);
  const [name, id, { kind, publicKey: seed }] = readParts(text.slice(prefix.length), 'signing key');
  const signer = signerOf(name, { kind, seed });
  if (signer.id !== id) throw malformed('the id of a signing key does not fit its name and bytes');
  return signer;
}

/** A new key in all its forms. */
export function generateLogKey(name: string, { kind = 'note' }: { readonly kind?: KeyKind } = {}) {
  if (!isKeyName(name)) throw malformed(`'${name}' cannot be the name of a key`);
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const signer = signerOf(name, { kind, seed });
  const bytes = Buffer.of(typeByte[kind], ...seed).toString('base64');
  return {
    signer,
    /** The verifier key as text. Clients pin it. */
    verifier: spellVerifierKey(signer),
    /** The signer as text. Keep it secret. */
    secret: `PRIVATE+KEY+${name}+${signer.id}+${bytes}`,
  };
}

/** Whether `signature` is the key's signature of the message. */
export function isSignedBy(
  { publicKey }: LogKey,
  { message, signature }: { readonly message: Uint8Array; readonly signature: Uint8Array },
): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}

const PKCS8_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

function signerOf(
  name: string,
  { kind, seed }: { readonly kind: KeyKind; readonly seed: Uint8Array },
): LogSigner {
  const privateKey: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_SEED, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url');
  return {
    ...makeKey(name, { kind, publicKey }),
    sign: (message) => sign(null, message, privateKey),
    valueOf: (text) => vrfValue(seed, publicKey, text),
    proveValue: (text) => proveVrf(seed, publicKey, text),
  };
}

function readParts(text: string, what: string): [string, string, { kind: KeyKind; publicKey: Uint8Array }] {
  // Base64 may contain a plus, names and ids do not.
  const [, name, id, base64] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = decodeBase64(base64 ?? '');
  if (name === undefined || id === undefined || bytes === undefined || !isKeyName(name)) {
    throw malformed(`a ${what} must be a name, 8 hex digits and Base64, joined by +`);
  }
  const kind =
    bytes[0] === typeByte.note ? 'note' : bytes[0] === typeByte.cosignature ? 'cosignature' : undefined;
  if (kind === undefined || bytes.length !== KEY_BYTES + 1)
    throw malformed(`a ${what} must be an Ed25519 key`);
  return [name, id, { kind, publicKey: bytes.subarray(1) }];
}
