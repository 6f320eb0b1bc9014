// Secrets the registry hands out, of which only the hashes are stored, and digests as the protocol spells them.

import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Start of every token, so that scanners for secrets recognise it. */
export const TOKEN_PREFIX = 'skwr_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 43;
const CHECK_LENGTH = 6;
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** A new token: prefix, 256 random bits, and a checksum, so that a scanner can tell tokens from similar text. */
export function newTokenSecret(): string {
  let body = TOKEN_PREFIX;
  for (let index = 0; index < RANDOM_LENGTH; index++) body += DIGITS[randomInt(DIGITS.length)];
  return body + checksum(body);
}

/** Whether the text has the form and the checksum of a token. */
export function isTokenShaped(text: string): boolean {
  return TOKEN.test(text) && text.slice(-CHECK_LENGTH) === checksum(text.slice(0, -CHECK_LENGTH));
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECK_LENGTH; index++) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

/** 256 random bits for cookies, links and codes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a secret with enough randomness. */
export function hashSecret(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** Compares in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashSecret(one), hashSecret(other));
}

/** `sha256:<hex>` of bytes or of the UTF-8 of a text. */
export function digestOf(content: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
