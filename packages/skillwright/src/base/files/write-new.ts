// Writes files that must not exist yet.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeError } from './system-error.ts';

/** Makes a directory and its parents, unless it exists. E016 if it cannot. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Writes a file that must not exist, creating its directory. E016 when it cannot. */
export function writeNewFile(path: string, bytes: Uint8Array, options: { mode?: number } = {}): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { ...options, flag: 'wx' });
  } catch (error) {
    throw writeError(path, error);
  }
}
