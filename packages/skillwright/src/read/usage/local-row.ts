// Reads the lines of a local log. The file is in a working directory, so its content is untrusted.

import * as z from 'zod';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { readRegularFile } from '../../base/files/index.ts';
import type { AccessRow } from './access-row.ts';

/** Size limit; months of accesses are far smaller. */
const MAX_LINES_BYTES = 256 * 1024 * 1024;

const LocalRow = z.object({
  uid: z.uuid(),
  timestamp: z.iso.datetime({ precision: 3 }),
  run_id: z.string(),
  command: z.string(),
  skill: z.string(),
  skill_path: z.string(),
  cwd: z.string(),
  args: z.record(z.string(), z.unknown()),
  error: z.string().nullable(),
  bytes: z.number().int(),
  tokens: z.number().int(),
  duration_ms: z.number(),
});

/** A row and its id. */
export interface IdentifiedRow {
  readonly uid: string;
  readonly row: AccessRow;
}

/** The rows of a file, and the number of invalid lines. Throws file system errors. */
export function readLocalRows(path: string): { rows: IdentifiedRow[]; damaged: number } {
  const rows: IdentifiedRow[] = [];
  let damaged = 0;
  const text = readRegularFile(path, { maxBytes: MAX_LINES_BYTES })?.toString('utf8') ?? '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = LocalRow.safeParse(orUndefined(() => JSON.parse(line)));
    if (parsed.success) {
      const { uid, ...row } = parsed.data;
      rows.push({ uid, row });
    } else damaged += 1;
  }
  return { rows, damaged };
}
