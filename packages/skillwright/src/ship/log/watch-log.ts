// Reads every entry of a log, as its monitors and witnesses do: it must lead to the signed checkpoint, and have one entry for
// each version.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Checkpoint } from './checkpoint.ts';
import { readLeaf } from './leaf.ts';
import { appendLeaf, hashLeaf, isSameHash, type ReadHash, rootOf } from './subtree.ts';
import { decodeEntries, type FetchTile, TILE_WIDTH, tileWidth } from './tile-path.ts';

/** Two entries for one version, which is one too many. */
export interface RepeatedEntry {
  /** `@owner/name@version`, or the subject of a private version. */
  readonly what: string;
  readonly first: number;
  readonly second: number;
}

/** Everything that was read of one origin. */
export type LogWatch = ReturnType<typeof watchLog>;

/** A watch that has read nothing. It keeps forty bytes or so for each version. */
export function watchLog() {
  const seen = new Map<string, number>();
  const repeated: RepeatedEntry[] = [];
  const versions = { public: 0, private: 0 };
  /** The last complete subtree of each level: all that a growing tree needs. */
  const last = new Map<number, Uint8Array>();
  const read: ReadHash = async (level) => last.get(level)!;
  let size = 0;
  const note = (leaf: Uint8Array): void => {
    const { entry, subject } = readLeaf(leaf);
    if (subject === undefined && entry?.kind !== 'version') return;
    const what = subject ?? (entry?.kind === 'version' ? `${entry.name}@${entry.version}` : '');
    versions[subject === undefined ? 'public' : 'private'] += 1;
    const first = seen.get(what);
    if (first === undefined) seen.set(what, size);
    else repeated.push({ what, first, second: size });
  };
  return {
    /** Entries read so far. */
    get size() {
      return size;
    },
    /** Versions of public and of private skills among them. */
    versions,
    repeated,
    /** Reads on up to a checkpoint. Throws E232 when the entries do not lead to it, E233 when one is malformed. */
    async readTo(checkpoint: Checkpoint, fetchTile: FetchTile): Promise<void> {
      while (size < checkpoint.size) {
        const place = { level: 'entries', index: Math.floor(size / TILE_WIDTH) } as const;
        const width = tileWidth(place, checkpoint.size);
        const leaves = decodeEntries(await fetchTile({ ...place, width }), width);
        for (const leaf of leaves.slice(size % TILE_WIDTH)) {
          note(leaf);
          for (const { level, hash } of await appendLeaf(size, hashLeaf(leaf), read)) last.set(level, hash);
          size += 1;
        }
      }
      if (size === checkpoint.size && isSameHash(await rootOf(size, read), checkpoint.root)) return;
      throw SkillwrightError.of('E232', { what: `the entries of ${checkpoint.origin}` });
    },
  };
}
