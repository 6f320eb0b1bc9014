// The newest checkpoint this machine signed, in a file beside the embedded database. A database that knows less was restored
// from a backup, or lost its end in a power failure.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, SkillwrightError, writeFileAtomic } from 'skillwright/base';
import {
  generationOf,
  type LogKey,
  type OpenedCheckpoint,
  openCheckpoint,
} from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';

/** Reads the checkpoint; undefined when there is none, or when another key signed it. */
export function readHighWater(registry: Registry, key: LogKey): OpenedCheckpoint | undefined {
  if (registry.database.kind !== 'embedded') return undefined;
  try {
    return openCheckpoint(readFileSync(pathOf(registry), 'utf8'), { key });
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof SkillwrightError)) throw error;
    if (error.code === 'E230') return undefined;
    const help =
      'delete the file if the database was not restored from a backup; else run the restore command';
    throw SkillwrightError.of('E233', { why: `${pathOf(registry)} is damaged` }, { help });
  }
}

/** Keeps the checkpoint unless a newer one is there. Call it before anybody sees the checkpoint. */
export function raiseHighWater(registry: Registry, note: string, { key }: { readonly key: LogKey }): void {
  if (registry.database.kind !== 'embedded') return;
  const known = readHighWater(registry, key);
  if (known !== undefined && !isAfter(openCheckpoint(note, { key }), known, key.name)) return;
  writeFileAtomic(pathOf(registry), note, { mode: 0o600 });
}

function isAfter(one: OpenedCheckpoint, other: OpenedCheckpoint, name: string): boolean {
  if (one.origin === other.origin) return one.size > other.size;
  return generationOf(one.origin, name)! > generationOf(other.origin, name)!;
}

function pathOf({ settings }: Registry): string {
  return join(settings.data, 'log-high-water');
}
