// Keeps indexes open between operations, for processes that serve many.

import { exactTargetAt } from '../../base/files/index.ts';
import { indexPath } from './database.ts';
import { type OpenOptions, openIndex, type SkillIndex } from './open-index.ts';

/** Open indexes by path. The cache owns them: `close` on one of them removes it. */
export interface IndexCache {
  /** The index `openIndex` would open; an already open one while its file is still in place. */
  open(options: OpenOptions): SkillIndex;
  /** The index of a skill that was opened last, if it is still open. The skill may have changed since. */
  opened(sourceDir: string): SkillIndex | undefined;
  close(): void;
}

interface Kept {
  readonly sourceDir: string;
  readonly index: SkillIndex;
  readonly tokenizer: OpenOptions['tokenizer'];
}

/**
 * A cache of at most `limit` open indexes; closes the least recently used one. Windows neither replaces nor deletes an open
 * file, so there the cache keeps copies open, and builds and `skc clean` of other processes go on.
 */
export function createIndexCache(
  limit = 64,
  { copies = process.platform === 'win32' }: { readonly copies?: boolean } = {},
): IndexCache {
  const kept = new Map<string, Kept>();
  const drop = (path: string): void => {
    kept.get(path)?.index.close();
    kept.delete(path);
  };
  return {
    open(options) {
      const path = indexPath(options.indexDir, options.sourceDir);
      const known = kept.get(path);
      // While it is open, its inode is not reused, so the same inode means the same index. For a copy, the time says it.
      const status = known && exactTargetAt(path);
      if (
        known !== undefined &&
        known.index.inode === status?.ino &&
        known.index.mtimeNs === status.mtimeNs &&
        (options.tokenizer === undefined || known.tokenizer === options.tokenizer)
      ) {
        kept.delete(path);
        kept.set(path, known);
        return known.index;
      }
      drop(path);
      const opened = openIndex({ ...options, copies }, path);
      const index: SkillIndex = {
        ...opened,
        close() {
          if (kept.get(path)?.index === index) kept.delete(path);
          opened.close();
        },
      };
      kept.set(path, { index, sourceDir: options.sourceDir, tokenizer: options.tokenizer });
      for (const oldest of kept.keys()) {
        if (kept.size <= limit) break;
        drop(oldest);
      }
      return index;
    },
    opened: (sourceDir) => [...kept.values()].findLast((one) => one.sourceDir === sourceDir)?.index,
    close() {
      for (const path of [...kept.keys()]) drop(path);
    },
  };
}
