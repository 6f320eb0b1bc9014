// A verifiable random function (RFC 9381, ECVRF-EDWARDS25519-SHA512-TAI): a value that the holder of a key computes from a
// text, that nobody else can compute, and that everybody can check. For one key and one text there is exactly one value.

import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';

const { Point } = ed25519;
type Point = InstanceType<typeof Point>;

const SUITE = 3;
const ORDER = Point.Fn.ORDER;
const POINT_BYTES = 32;
const CHALLENGE_BYTES = 16;
/** Bytes of a proof: a point, a challenge and a scalar. */
const PROOF_BYTES = POINT_BYTES + CHALLENGE_BYTES + 32;

const hash = (...parts: Uint8Array[]): Uint8Array =>
  createHash('sha512').update(Buffer.concat(parts)).digest();
const number = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`);
const littleEndian = (value: bigint, length: number): Uint8Array =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex').reverse();

/** The secret scalar of an Ed25519 seed, and the secret from which challenges are made. */
function expandSeed(seed: Uint8Array): { readonly scalar: bigint; readonly prefix: Uint8Array } {
  const digest = hash(seed);
  const bytes = digest.slice(0, 32);
  bytes[0]! &= 248;
  bytes[31] = (bytes[31]! & 127) | 64;
  return { scalar: number(bytes) % ORDER, prefix: digest.slice(32) };
}

/** The text as a point that nobody chose: the first hash that is one. */
function pointOf(publicKey: Uint8Array, text: Uint8Array): Point {
  for (let attempt = 0; attempt < 256; attempt++) {
    const digest = hash(Uint8Array.of(SUITE, 1), publicKey, text, Uint8Array.of(attempt, 0));
    try {
      const point = Point.fromBytes(digest.slice(0, 32)).clearCofactor();
      if (!point.is0()) return point;
    } catch {
      // About half of all hashes are not points on the curve.
    }
  }
  throw new Error('no hash of the text is a point');
}

function challengeOf(publicKey: Uint8Array, points: readonly Point[]): bigint {
  const spelled = points.map((point) => point.toBytes());
  const digest = hash(Uint8Array.of(SUITE, 2), publicKey, ...spelled, Uint8Array.of(0));
  return number(digest.slice(0, CHALLENGE_BYTES));
}

function outputOf(gamma: Point): Uint8Array {
  return hash(Uint8Array.of(SUITE, 3), gamma.clearCofactor().toBytes(), Uint8Array.of(0));
}

/** The value of a text, without a proof: 64 bytes. */
export function vrfValue(seed: Uint8Array, publicKey: Uint8Array, text: Uint8Array): Uint8Array {
  return outputOf(pointOf(publicKey, text).multiply(expandSeed(seed).scalar));
}

/** The proof that a value is the one of a text. */
export function proveVrf(seed: Uint8Array, publicKey: Uint8Array, text: Uint8Array): Uint8Array {
  const { scalar, prefix } = expandSeed(seed);
  const point = pointOf(publicKey, text);
  const gamma = point.multiply(scalar);
  const nonce = number(hash(prefix, point.toBytes())) % ORDER;
  const commitments = [Point.BASE.multiply(nonce), point.multiply(nonce)];
  const challenge = challengeOf(publicKey, [point, gamma, ...commitments]);
  const response = (nonce + challenge * scalar) % ORDER;
  return Buffer.concat([
    gamma.toBytes(),
    littleEndian(challenge, CHALLENGE_BYTES),
    littleEndian(response, 32),
  ]);
}

/** The value that a proof shows for a text; undefined when it proves nothing. Never throws. */
export function checkVrf(
  publicKey: Uint8Array,
  { text, proof }: { readonly text: Uint8Array; readonly proof: Uint8Array },
): Uint8Array | undefined {
  if (proof.length !== PROOF_BYTES) return undefined;
  const challenge = number(proof.slice(POINT_BYTES, POINT_BYTES + CHALLENGE_BYTES));
  const response = number(proof.slice(POINT_BYTES + CHALLENGE_BYTES));
  if (response >= ORDER) return undefined;
  try {
    const key = Point.fromBytes(publicKey);
    const gamma = Point.fromBytes(proof.slice(0, POINT_BYTES));
    if (key.isSmallOrder()) return undefined;
    const point = pointOf(publicKey, text);
    const times = (one: Point, factor: bigint) => (factor === 0n ? Point.ZERO : one.multiplyUnsafe(factor));
    const commitments = [
      times(Point.BASE, response).subtract(times(key, challenge)),
      times(point, response).subtract(times(gamma, challenge)),
    ];
    const isProved = challengeOf(publicKey, [point, gamma, ...commitments]) === challenge;
    return isProved ? outputOf(gamma) : undefined;
  } catch {
    return undefined;
  }
}
