// The newest checkpoint that was signed, remembered outside the database: in this process, and in a file. A database that
// knows less was restored from a backup, or lost its end in a power failure.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, SkillwrightError, writeFileAtomic } from 'skillwright/base';
import { generationOf, type LogKey, openCheckpoint } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import type { LogOrigin } from './log-origin.ts';

/** A checkpoint that was signed. */
export type HighWater = NonNullable<Registry['newestCheckpoint']>;

/** The newest checkpoint this process or the file knows; undefined when there is none, or when another key signed it. */
export function readHighWater(registry: Registry, key: LogKey): HighWater | undefined {
  const [kept, served] = [readKept(registry, key), registry.newestCheckpoint];
  if (kept === undefined || served === undefined) return kept ?? served;
  return isAfter(served, kept, key.name) ? served : kept;
}

/** The file with the newest checkpoint; undefined when there is none, as on PostgreSQL without the setting. */
export function highWaterFile({ settings, database }: Registry): string | undefined {
  if (settings.logMemory !== undefined) return settings.logMemory;
  return database.kind === 'embedded' ? join(settings.data, 'log-high-water') : undefined;
}

function readKept(registry: Registry, key: LogKey): HighWater | undefined {
  const path = highWaterFile(registry);
  if (path === undefined) return undefined;
  try {
    return openCheckpoint(readFileSync(path, 'utf8'), { key });
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof SkillwrightError)) throw error;
    if (error.code === 'E230') return undefined;
    const help =
      'delete the file if the database was not restored from a backup; else run the restore command';
    throw SkillwrightError.of('E233', { why: `${path} is damaged` }, { help });
  }
}

/** Keeps the checkpoint unless a newer one is there. Call it before anybody sees the checkpoint. */
export function raiseHighWater(registry: Registry, note: string, { key }: { readonly key: LogKey }): void {
  const signed = openCheckpoint(note, { key });
  const known = readHighWater(registry, key);
  if (known !== undefined && !isAfter(signed, known, key.name)) return;
  const path = highWaterFile(registry);
  if (path !== undefined) writeFileAtomic(path, note, { mode: 0o600 });
  registry.newestCheckpoint = signed;
}

/** Remembers a checkpoint that another process signed. */
export function rememberServed(registry: Registry, served: HighWater & LogOrigin): void {
  const known = registry.newestCheckpoint;
  if (known === undefined || isAfter(served, known, served.name)) registry.newestCheckpoint = served;
}

function isAfter(one: HighWater, other: HighWater, name: string): boolean {
  if (one.origin === other.origin) return one.size > other.size;
  return (generationOf(one.origin, name) ?? 0) > (generationOf(other.origin, name) ?? 0);
}
