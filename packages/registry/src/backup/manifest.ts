// The list of everything a backup contains. It is the last file of the archive: without it the backup is cut off.

import * as z from 'zod';

const count = z.number().int().min(0);

export const BACKUP_MANIFEST = 'manifest.json';

/** A backup: rows of all tables as text, blobs by digest. */
export const BackupManifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** Migrations the database had. */
  schema: z.array(z.string()),
  /** Columns and number of rows by table. */
  tables: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: count })),
  /** State of every sequence, so that numbers are never given twice. */
  sequences: z.record(z.string(), z.object({ value: z.number().int(), isCalled: z.boolean() })),
  blobs: count,
  /** SHA-256 by file of the archive. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
export type BackupManifest = z.output<typeof BackupManifest>;
