// The only way archives are unpacked.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFormat, unsafeArchive } from '../../../base/archive/index.ts';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { discardTemporary, readError, systemErrorCode, writeError } from '../../../base/files/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { ArchiveLimits } from './entry-guard.ts';
import { createEntryGuard } from './entry-guard.ts';
import { readAt } from './read-at.ts';
import { createTreeWriter } from './tree-writer.ts';

/** Options for unpacking. */
interface ExtractOptions {
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called as bytes are unpacked. */
  onProgress?(bytes: number): void;
}

/** An unpacked archive. */
export interface ExtractedArchive {
  /** Root of the content: the directory, or its only folder if the directory has no SKILL.md. */
  readonly root: string;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Unpacks a zip, tar or tar.gz file, detected by its first bytes, into `dir`, which must be new or empty. Writes only
 * files (0644, or 0755 for executables), directories and links that stay inside; E205 names the first entry that is
 * anything else, escapes, collides with another or exceeds a limit. On failure `dir` is removed.
 */
export async function extractArchive(
  file: string,
  dir: string,
  options: ExtractOptions,
): Promise<ExtractedArchive> {
  const format = readFormat(file);
  makeEmpty(dir);
  const guard = createEntryGuard(options.limits);
  const writer = createTreeWriter(dir, guard);
  const { limits, signal } = options;
  const extraction = {
    guard,
    writer,
    limits,
    signal,
    onProgress: (bytes: number) => options.onProgress?.(bytes),
  };
  try {
    signal?.throwIfAborted();
    if (format === 'zip') await (await import('./extract-zip.ts')).extractZip(file, extraction);
    else
      await (await import('./extract-tar.ts')).extractTar(file, { ...extraction, gzip: format === 'gzip' });
    writer.finish();
  } catch (error) {
    discardTemporary(dir);
    throw explain(file, error, signal);
  }
  return { root: findContent(dir), entries: guard.entries, bytes: guard.bytes };
}

/** The first block of a tar file, which is longer than the signatures of the other formats. */
const HEADER_BYTES = 512;

/** Detects the format by the first bytes. E205 when it is unknown. */
function readFormat(file: string): 'zip' | 'gzip' | 'tar' {
  let head: Buffer;
  try {
    head = readAt(file, 0, HEADER_BYTES);
  } catch (error) {
    throw readError(file, error);
  }
  const format = archiveFormat(head);
  if (format !== undefined) return format;
  throw unsafeArchive('it is neither zip nor tar');
}

function makeEmpty(dir: string): void {
  let names: string[];
  try {
    mkdirSync(dir, { recursive: true });
    names = readdirSync(dir);
  } catch (error) {
    throw writeError(dir, error);
  }
  if (names.length > 0) throw SkillwrightError.of('E013', { path: dir });
}

/** Names that systems add next to the content. */
function isContent(name: string): boolean {
  return !name.startsWith('.') && name !== '__MACOSX';
}

/** Descends into the folder that holds everything: it is not part of the content. */
function findContent(dir: string): string {
  const listing = readdirSync(dir, { withFileTypes: true });
  if (listing.some(({ name }) => name === SKILL_FILE)) return dir;
  const [only, ...others] = listing.filter(({ name }) => isContent(name));
  const isWrapped = only?.isDirectory() === true && others.length === 0;
  return isWrapped && !holdsLayouts(listing.map(({ name }) => name)) ? join(dir, only.name) : dir;
}

/** Whether the top of an archive looks like a repository: hidden directories of agents and plugins, or `skills`. */
function holdsLayouts(names: readonly string[]): boolean {
  return names.some((name) => name === 'skills' || name === 'plugins' || /^\.[a-z]+(?:-plugin)?$/.test(name));
}

/** Turns format errors into E205; system errors pass unchanged. */
function explain(file: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof SkillwrightError || signal?.aborted === true) return error;
  if (systemErrorCode(error) !== undefined) return readError(file, error);
  return error instanceof Error ? unsafeArchive(`it is damaged: ${error.message}`, error) : error;
}
