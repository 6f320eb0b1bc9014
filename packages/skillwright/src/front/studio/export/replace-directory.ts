// Replaces an exported directory as a whole.

import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  discardTemporary,
  isThere,
  readRegularFile,
  removeLeftovers,
  removePath,
  renamePath,
  sha256,
  temporaryBeside,
  writeError,
} from '../../../base/files/index.ts';
import type { BuildRecord } from '../../../skill/skill/index.ts';

/** Lists the files of an export, so that the next one knows which are its own. A project could ship one: the record knows ours. */
export const MARKER = '.skc-studio.json';

const Marker = z.object({ files: z.array(z.string()) });
const MAX_MARKER = 16 * 1024 * 1024;

/**
 * Fills a directory beside `path` and puts it in its place: a reader sees the old pages or the new ones. E013 when the
 * directory holds anything but an earlier export; E016 when it cannot be written.
 */
export async function replaceDirectory<Result>(
  path: string,
  record: Pick<BuildRecord, 'hasFile' | 'addFile'>,
  fill: (directory: string) => Promise<Result>,
): Promise<Result> {
  requireOwn(path, record);
  removeLeftovers(dirname(path), { names: [basename(path)], now: new Date() });
  const fresh = temporaryBeside(path);
  const old = temporaryBeside(path);
  try {
    mkdirSync(fresh, { recursive: true });
    const result = await fill(fresh);
    requireOwn(path, record);
    record.addFile(path, sha256(readMarker(fresh) ?? ''));
    const isReplaced = isThere(path);
    if (isReplaced) renamePath(path, old);
    try {
      renamePath(fresh, path);
    } catch (error) {
      if (isReplaced) renamePath(old, path);
      throw error;
    }
    removePath(old, { recursive: true, force: true });
    return result;
  } catch (error) {
    throw error instanceof SkillwrightError ? error : writeError(path, error);
  } finally {
    discardTemporary(fresh);
  }
}

/** E013 unless there is nothing, or an export and nothing else. */
function requireOwn(path: string, { hasFile }: Pick<BuildRecord, 'hasFile'>): void {
  const found = listBelow(path);
  if (found === undefined || found.length === 0) return;
  const text = readMarker(path);
  const isOurs = text !== undefined && hasFile(path, sha256(text));
  const marker = Marker.safeParse(
    orUndefined(() => (isOurs ? JSON.parse(text.toString('utf8')) : undefined)),
  );
  const own = new Set(isOurs ? [MARKER, ...(marker.data?.files ?? [])] : []);
  const other = found.find((file) => !own.has(file));
  if (other === undefined) return;
  const help = 'name an empty directory, or one with an earlier export and nothing else';
  throw SkillwrightError.of('E013', { path: join(path, other) }, { help });
}

const readMarker = (directory: string) =>
  orUndefined(() => readRegularFile(join(directory, MARKER), { maxBytes: MAX_MARKER }));

/** Files below a directory; undefined when there is none. A file in its place counts as one. */
function listBelow(path: string): string[] | undefined {
  if (!isThere(path)) return undefined;
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch (error) {
    throw writeError(dirname(path), error);
  }
}
