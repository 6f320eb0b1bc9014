// The files of an embedded database, written through to the disk. PGlite by itself never asks the disk to keep anything.

import { fdatasyncSync } from 'node:fs';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { valueParsers } from './database.ts';

interface OpenFile {
  readonly nfd?: number;
}

interface Module {
  readonly NODEFS: { readonly stream_ops: { fsync?: (file: OpenFile) => number } };
}

/** A directory on disk whose fsync is real. */
export class DurableFiles extends NodeFS {
  override async init(...[postgres, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(postgres, options);
    const makeDurable = (module: unknown): void => {
      (module as Module).NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fdatasyncSync(nfd);
        return 0;
      };
    };
    const preRun = [...(emscriptenOpts.preRun ?? []), makeDurable];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

/**
 * Start parameters that use it: without `-F` (no fsync), with a small log to replay after a crash, and with small buffers, since
 * the system caches the same files.
 */
export const durableParameters: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['wal_sync_method=fsync', 'max_wal_size=64MB', 'shared_buffers=32MB'].flatMap((setting) => [
    '-c',
    setting,
  ]),
];

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
