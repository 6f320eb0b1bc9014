// Reports the parts of a skill that the index leaves out.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { formatBytes, MAX_SEARCHED_BYTES } from '../../base/files/index.ts';
import { MAX_HEADINGS } from '../../base/markdown/index.ts';
import type { FileRow } from './database.ts';

/** W012 for each file whose text is left out, W013 for each with more headings than listed. */
export function describeLeftOut(files: readonly FileRow[]): Diagnostic[] {
  return files.flatMap(({ path: file, size, leftOut, cutHeadings }) => [
    ...(leftOut
      ? [
          diagnose(
            'W012',
            { file, size: formatBytes(size), limit: formatBytes(MAX_SEARCHED_BYTES) },
            { data: { file } },
          ),
        ]
      : []),
    ...(cutHeadings ? [diagnose('W013', { file, limit: String(MAX_HEADINGS) })] : []),
  ]);
}
