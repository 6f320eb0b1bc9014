// Whether somebody may execute a file. Windows has no such bit. There, this process remembers it for the files it unpacks, and
// of any other file the first line tells: it begins with `#!`.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { orUndefined } from '../diagnostics/index.ts';

const unpacked = new Map<string, boolean>();

/** Remembers the bit of a file that was just written, where the disk cannot. */
export function noteExecuteBit(
  path: string,
  isExecutable: boolean,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32') unpacked.set(resolve(path), isExecutable);
}

/** True when somebody may execute the file; false also when it is not there, or cannot be looked at. */
export function hasExecuteBit(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return orUndefined(() => bitOf(path, platform)) ?? false;
}

function bitOf(path: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'win32') return (statSync(path).mode & 0o111) !== 0;
  return unpacked.get(resolve(path)) ?? beginsWith(path, '#!');
}

function beginsWith(path: string, text: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(text.length);
    readSync(descriptor, start);
    return start.toString('latin1') === text;
  } finally {
    closeSync(descriptor);
  }
}
