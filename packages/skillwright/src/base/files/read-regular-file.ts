// Reads regular files only: never blocks on a pipe, never reads an endless device, never exceeds the limit.

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { formatCount, SkillwrightError } from '../diagnostics/index.ts';
import { isMissing, readError } from './system-error.ts';

/** The bytes of a regular file, links followed; undefined if it is missing, E015 if it is something else or too large. */
export function readRegularFile(path: string, limits: { maxBytes: number }): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
  try {
    return readDescriptor(descriptor, path, limits);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes of an open descriptor; E015 names `path` if it is not a regular file or too large. */
export function readDescriptor(descriptor: number, path: string, limits: { maxBytes: number }): Buffer {
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw SkillwrightError.of('E015', { path, why: 'not a regular file' });
    if (status.size > limits.maxBytes) throw tooLarge(path, limits.maxBytes);
    return readFileSync(descriptor);
  } catch (error) {
    throw readError(path, error);
  }
}

/** E015 for a file over its limit. */
export function tooLarge(path: string, maxBytes: number): SkillwrightError {
  return SkillwrightError.of('E015', { path, why: `larger than ${formatBytes(maxBytes)}` });
}

/** `5 MiB`, `812 KiB`, `17 bytes`: a size as a person reads it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return formatCount(bytes, 'byte');
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / (1024 * 1024), 'MiB'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}
