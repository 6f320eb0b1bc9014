// How much may be unpacked.

import type { Config } from '../../../skill/config/index.ts';

/** Bounds of an archive, and of one skill. */
export interface ArchiveLimits {
  /** Files, links and directories, those that are only implied included. */
  readonly maxEntries: number;
  /** Bytes when unpacked. */
  readonly maxBytes: number;
  /** How many times larger than the archive its content may be. */
  readonly maxRatio: number;
}

/** Repetitive text is packed well: below this many bytes no ratio is held against an archive. */
export const RATIO_FLOOR = 1024 * 1024;

/** The bounds a configuration sets. */
export function archiveLimits(
  network: Pick<Config['network'], 'max_entries' | 'max_unpacked'>,
): ArchiveLimits {
  return { maxEntries: network.max_entries, maxBytes: network.max_unpacked, maxRatio: 100 };
}
