// Reads a whole backup and compares it with its list, before anything is restored.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { describeSystemError, systemErrorCode } from 'skillwright/base';
import { Problem } from '../base/index.ts';
import { migrations } from '../store/index.ts';
import { BACKUP_MANIFEST, BackupManifest } from './manifest.ts';
import { type TarEntry, unpackEntries } from './tar.ts';

/** A file that cannot be restored. */
class BadBackup extends Problem {
  constructor(file: string, reason: string) {
    super(`${file} is not a complete backup: ${reason}. Nothing was restored.`);
  }
}

/** The files of a backup, without its list. */
export async function* readBackup(file: string): AsyncGenerator<TarEntry> {
  for await (const entry of unpackEntries(createReadStream(file)))
    if (entry.name !== BACKUP_MANIFEST) yield entry;
}

/** The list of a backup whose every file is there and unchanged, and whose schema this program knows; fails otherwise. */
export async function checkBackup(file: string): Promise<BackupManifest> {
  const found = new Map<string, string>();
  const rows = new Map<string, number>();
  let manifest: BackupManifest | undefined;
  let blobs = 0;
  try {
    for await (const { name, bytes } of unpackEntries(createReadStream(file))) {
      if (name === BACKUP_MANIFEST) {
        manifest = BackupManifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
        continue;
      }
      if (found.has(name)) throw new Error(`${name} is there twice`);
      const digest = createHash('sha256').update(bytes).digest('hex');
      found.set(name, digest);
      const table = /^tables\/([^/]+)\/\d+\.jsonl$/.exec(name)?.[1];
      const blob = /^blobs\/sha256-([0-9a-f]{64})(\.[a-z0-9-]{1,20})?$/.exec(name);
      if (table !== undefined) rows.set(table, (rows.get(table) ?? 0) + countLines(bytes));
      else if (blob === null) throw new Error(`${name} is unknown`);
      else blobs++;
      if (blob !== null && blob[2] === undefined && blob[1] !== digest)
        throw new Error(`${name} has other bytes`);
    }
  } catch (error) {
    if (systemErrorCode(error) !== undefined)
      throw new Problem(
        `cannot read the backup ${file}: ${describeSystemError(error)}. Nothing was restored.`,
      );
    throw new BadBackup(file, (error as Error).message);
  }
  if (manifest === undefined) throw new BadBackup(file, 'it has no list of its files');
  const problem = findDifference(manifest, { found, rows, blobs });
  if (problem !== undefined) throw new BadBackup(file, problem);
  const unknown = manifest.schema.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new Problem(
      `the backup is newer than this program: it has ${unknown.join(', ')}. Restore it with the version that made it.`,
    );
  return manifest;
}

function findDifference(
  { files, tables, blobs }: BackupManifest,
  has: {
    readonly found: ReadonlyMap<string, string>;
    readonly rows: ReadonlyMap<string, number>;
    readonly blobs: number;
  },
): string | undefined {
  for (const [name, digest] of Object.entries(files)) {
    if (!has.found.has(name)) return `${name} is missing`;
    if (has.found.get(name) !== digest) return `${name} is damaged`;
  }
  for (const name of has.found.keys()) if (files[name] === undefined) return `${name} is not in its list`;
  for (const name of has.rows.keys()) if (tables[name] === undefined) return `the table ${name} is unknown`;
  for (const [name, { rows }] of Object.entries(tables))
    if ((has.rows.get(name) ?? 0) !== rows) return `rows of ${name} are missing`;
  return has.blobs === blobs ? undefined : 'archives are missing';
}

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0);
}
