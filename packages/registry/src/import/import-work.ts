// One skill of an import, as threads hand it over.

import type { Inspection } from '../skills/index.ts';

/** Given to each thread at its start. */
export interface ImportSetup {
  /** Versions that exist, as `name@version`. */
  readonly taken: ReadonlySet<string>;
  readonly maxArchiveBytes: number;
  readonly maxFiles: number;
  readonly maxUnpackedBytes: number;
  /** A directory for the thread's own files. */
  readonly workDirectory: string;
}

/** A skill on disk: packed and inspected, left out because it exists, or not fit for an archive. */
export type ImportOutcome =
  | {
      readonly kind: 'inspected';
      readonly name: string;
      readonly version: string;
      readonly archive: Uint8Array;
      readonly digest: string;
      readonly inspection: Inspection;
    }
  | { readonly kind: 'exists' }
  | { readonly kind: 'failed'; readonly reason: string };
