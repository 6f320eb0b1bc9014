// Takes over an index that was built elsewhere from the same files, without reading them into it again.

import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { removePath, temporaryBeside } from '../../base/files/index.ts';
import { scannerFor } from '../../base/words/index.ts';
import { makeRuntimeDirectory } from '../../skill/workspace/index.ts';
import type { BuildOptions } from './build-index.ts';
import { compareWithIndex } from './compare-with-index.ts';
import { indexPath, isDatabaseError, openIndexFile, readFileRows } from './database.ts';
import { replaceIndex } from './replace-index.ts';
import { readSkillFile } from './source-files.ts';
import { createSectionWriter } from './write-sections.ts';

/**
 * Puts the bytes of an index in place if it describes exactly the files on disk. False when it is damaged, of another
 * version or tokenizer, or describes other files: build a new one. E016 when it cannot be written.
 */
export function adoptIndex(bytes: Uint8Array, options: BuildOptions): boolean {
  const path = indexPath(options.indexDir, options.sourceDir);
  const arrived = temporaryBeside(path);
  makeRuntimeDirectory(dirname(path), options.record?.home);
  try {
    writeFileSync(arrived, bytes, { mode: 0o600 });
    const opened = openIndexFile(arrived, undefined);
    if (opened === undefined) return false;
    const { database, meta } = opened;
    const rows = new Map(readFileRows(database).map((row) => [row.path, row]));
    database.close();
    if (meta.tokenizer !== options.tokenizer) return false;
    const { changed, removed, touched } = compareWithIndex(options.sourceDir, rows);
    if (changed.length + removed.length > 0) return false;
    replaceIndex(path, options, {
      prepare: (temporary) => writeFileSync(temporary, bytes, { mode: 0o600 }),
      write: (copy) => {
        const writer = createSectionWriter(copy, scannerFor(options.tokenizer), meta.totals);
        for (const file of touched) {
          const read = readSkillFile(options.sourceDir, file);
          if (read !== undefined) writer.touch(read.file);
        }
        return writer.totals;
      },
    });
    return true;
  } catch (error) {
    if (isDatabaseError(error)) return false;
    throw error;
  } finally {
    removePath(arrived, { force: true });
  }
}
