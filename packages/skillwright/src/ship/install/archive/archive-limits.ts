// Limits for unpacking archives.

import type { Config } from '../../../skill/config/index.ts';

/** Limits for an archive, and for one skill. */
export interface ArchiveLimits {
  /** Files, links and directories, including directories that are only implied. */
  readonly maxEntries: number;
  /** Unpacked bytes. */
  readonly maxBytes: number;
  /** Largest ratio of unpacked size to archive size. */
  readonly maxRatio: number;
}

/** Repetitive text compresses well: below this many bytes the ratio is not checked. */
export const RATIO_FLOOR = 1024 * 1024;

/** The limits from the configuration. */
export function archiveLimits(
  network: Pick<Config['network'], 'max_entries' | 'max_unpacked'>,
): ArchiveLimits {
  return { maxEntries: network.max_entries, maxBytes: network.max_unpacked, maxRatio: 100 };
}
