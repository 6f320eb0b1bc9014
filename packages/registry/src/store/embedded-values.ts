// Values of the embedded engine. Its own conversion of bytes takes seconds for 16 MiB.

import type { PGliteOptions } from '@electric-sql/pglite';
import { valueParsers } from './database.ts';

const BYTEA = 17;

/** How values are read and written. */
export const embeddedValues = {
  parsers: {
    ...valueParsers,
    [BYTEA]: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  },
  serializers: {
    [BYTEA]: (bytes: Uint8Array) =>
      `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`,
  },
} satisfies PGliteOptions;
