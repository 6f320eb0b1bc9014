// Digests as the protocol spells them.

import { createHash } from 'node:crypto';

/** `sha256:<hex>` of bytes or of the UTF-8 of a text. */
export function digestOf(content: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
