// Reads every file of a skill, hidden and archived files included, within limits.

import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { archiveFormat, createTarReader, openZip, unsafeArchive } from '../../base/archive/index.ts';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { formatBytes, MAX_TEXT_BYTES, readInside, type Tree } from '../../base/files/index.ts';
import { decodeAnyText, describeBinary } from './decode-any-text.ts';
import { documentText } from './document-text.ts';
import { fileKind } from './file-kind.ts';
import type { SkippedFile } from './finding.ts';
import { ScanFile } from './scan-file.ts';
import type { OddEntry } from './scan-subject.ts';

/** Files of a skill, as read. */
interface ScannedFiles {
  readonly files: readonly ScanFile[];
  readonly odd: readonly OddEntry[];
  readonly skipped: readonly SkippedFile[];
  /** Whether something was left out that could hold instructions or programs. */
  readonly isPartial: boolean;
  /** Size of every file, scanned or not. */
  readonly bytes: number;
}

/** Text limits of a skill and of a file: a scan must end in seconds, whatever the input. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Maximum nesting of archives. */
const MAX_DEPTH = 2;

/** Git's own data; its hooks and settings are scanned. */
const isGitStore = (path: string): boolean =>
  /(?:^|\/)\.git\/(?!hooks\/|config$)/.test(path) || /\.sample$/.test(path);

/** Files too large to read that are not text by name: images, audio, fonts, models. */
const isMedia = (path: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|mp[34]|m4[av]|mov|webm|wav|ogg|flac|pdf|ttf|otf|woff2?|onnx|safetensors|gguf)$/i.test(
    path,
  );

/** A file that was read: its path and content. */
interface Given {
  readonly path: string;
  readonly bytes: Buffer;
  /** The archive it is in. */
  readonly archive?: string;
  readonly depth: number;
}

/** Reads the files of a skill's directory. Total: never throws. */
export function readScannedFiles(dir: string, { entries, truncated }: Tree): ScannedFiles {
  const texts: { path: string; text: string; archive: string | undefined; isDocument?: true }[] = [];
  const odd: OddEntry[] = [];
  const skipped: SkippedFile[] = [];
  let bytes = 0;
  let read = 0;
  let isPartial = false;
  const leaveOut = (file: string, why: string): void => {
    skipped.push({ file, why });
    isPartial = true;
  };
  const take = (given: Given): void => {
    const { path, archive } = given;
    const place = archive === undefined ? path : `${archive}: ${path}`;
    const binary = describeBinary(given.bytes, path);
    if (binary.kind === 'program') {
      const innocent = /\.(?:md|txt|json|ya?ml|png|jpe?g|gif|svg|pdf|csv)$/i.test(path);
      odd.push({
        path: archive ?? path,
        kind: innocent ? 'disguised' : 'program',
        what: innocent
          ? `${binary.what} is disguised as another type of file`
          : `${binary.what} comes without its source`,
      });
      leaveOut(place, binary.what);
      return;
    }
    const packed = binary.kind === 'inert' ? undefined : archiveEntries(given.bytes, MAX_TOTAL_BYTES - read);
    if (packed !== undefined) {
      if (packed.isLocked)
        odd.push({ path: archive ?? path, kind: 'locked', what: 'the archive is password-protected' });
      const problem = packed.isLocked ? 'the archive is password-protected' : packed.problem;
      if (problem !== undefined) leaveOut(place, problem);
      if (given.depth >= MAX_DEPTH) leaveOut(place, 'archives are nested too deeply');
      else
        for (const entry of packed.entries)
          take({ path: entry.path, bytes: entry.bytes, archive: archive ?? path, depth: given.depth + 1 });
      return;
    }
    // A file that is text by its name is read as text, whatever it begins with.
    const document = fileKind(path, '') === 'text' ? documentText(given.bytes) : undefined;
    if (document !== undefined) {
      if (document.isWhole)
        skipped.push({ file: place, why: binary.kind === 'inert' ? binary.what : 'a document' });
      else leaveOut(place, 'not all of its text can be read');
      read += document.text.length;
      if (document.text !== '') texts.push({ path, text: document.text, archive, isDocument: true });
      return;
    }
    if (binary.kind === 'inert') {
      skipped.push({ file: place, why: binary.what });
      return;
    }
    const room = Math.min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - read);
    const text = decodeAnyText(given.bytes.subarray(0, room), path);
    if (text === undefined) {
      leaveOut(place, 'not text');
      return;
    }
    if (text.hasNul)
      odd.push({
        path: archive ?? path,
        kind: 'nul',
        what: 'the text contains NUL bytes, so many programs treat it as binary',
      });
    if (given.bytes.length > room)
      leaveOut(
        place,
        room === 0
          ? `more than ${formatBytes(MAX_TOTAL_BYTES)} of text in the skill`
          : `only the first ${formatBytes(room)}`,
      );
    read += Math.min(given.bytes.length, room);
    texts.push({ path, text: text.text, archive });
  };
  // Small files first: large ones must not crowd them out.
  const sized = entries.map((entry) => ({
    ...entry,
    size: entry.kind === 'file' ? sizeOf(join(dir, entry.path)) : 0,
  }));
  for (const { path, kind, why, size } of sized.sort((a, b) => a.size - b.size)) {
    if (kind === 'directory' || kind === 'linked-directory' || isGitStore(path)) continue;
    if (kind === 'unreadable') leaveOut(path === '' ? '.' : path, why ?? 'cannot be listed');
    else if (kind === 'escape')
      odd.push({
        path,
        kind: 'escape',
        what: `the link leads out of the skill: ${targetOf(join(dir, path))}`,
      });
    else if (kind === 'special') odd.push({ path, kind: 'special', what: 'not a regular file or directory' });
    else if (kind === 'file') {
      bytes += size;
      const given = readOne(dir, path);
      if (typeof given !== 'string') take({ path, bytes: given, depth: 0 });
      else if (isMedia(path)) skipped.push({ file: path, why: given });
      else leaveOut(path, given);
    }
  }
  for (const path of repositoryHeads(entries.map((entry) => entry.path)))
    odd.push({
      path,
      kind: 'repository',
      what: 'git takes its directory for a repository, and runs the commands in its settings',
    });
  if (truncated) leaveOut('.', 'too many files, or directories nested too deeply');
  const inOrder = (a: SkippedFile, b: SkippedFile): number =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
  const isRun = ranFiles(texts);
  const files = texts.map(
    ({ path, text, archive, isDocument }) =>
      new ScanFile(path, text, { archive, isRun: isRun(path), ...(isDocument && { isDocument }) }),
  );
  return { files, odd, skipped: skipped.sort(inOrder), isPartial, bytes };
}

/**
 * The files that make git take a directory for a repository without `.git`: a mere `git status` in it, which many shells run for
 * their prompt, then starts programs named in it. Hidden directories are not installed.
 */
function repositoryHeads(paths: readonly string[]): string[] {
  // As a file system that ignores case, or characters nobody sees, would read them.
  const folded = paths.map((path) => path.replace(/\p{Default_Ignorable_Code_Point}/gu, '').toLowerCase());
  // Not every list of files has the directories.
  const known = new Set(
    folded.flatMap((path) => [path, ...path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))]),
  );
  return paths.filter((_, at) => {
    const [, around] = /^((?:[^./][^/]*\/)*)head$/.exec(folded[at]!) ?? [];
    const holds = (name: string) => known.has(`${around}${name}`);
    return around !== undefined && (holds('commondir') || (holds('objects') && holds('refs')));
  });
}

/** A command that runs a file, in instructions: an interpreter with its options, or the path alone. */
const runs =
  /(?<![\w.-])(?:(?:ba|z|da)?sh|source|python[\d.]{0,4}|node|tsx|bun|deno run|perl|ruby|php|uv run|pwsh|powershell)[ \t]{1,3}(?:-{1,2}[\w-]{1,20}[ \t]{1,3}){0,3}["']?(?:\.\/|\$\{?\w{1,30}\}?\/|\{\w{1,30}\}\/)?([\w@./-]{3,120})|[`\n][ \t]{0,8}\.\/([\w@./-]{3,120})|(?<![\w.-])python[\d.]{0,4}[ \t]{1,3}-m[ \t]{1,3}([\w.]{3,80})/g;

/** Recognises files that instructions run by name, whatever their extension and place: `sh assets/logo.txt`. */
function ranFiles(texts: readonly { path: string; text: string }[]): (path: string) => boolean {
  const named = new Set<string>();
  for (const { path, text } of texts)
    if (fileKind(path, '') === 'instructions')
      for (const [, program, own, module] of text.matchAll(runs))
        named.add(program ?? own ?? `${module!.replaceAll('.', '/')}.py`);
  return (path) => named.has(path);
}

function readOne(dir: string, path: string): Buffer | string {
  try {
    return readInside(dir, path, { maxBytes: MAX_TEXT_BYTES }) ?? 'it no longer exists';
  } catch (error) {
    if (error instanceof SkillwrightError) return error.message;
    throw error;
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return 'its target cannot be read';
  }
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}

/** A file in an archive. */
interface ArchiveEntry {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Contents of an archive. */
interface ArchiveContent {
  readonly entries: readonly ArchiveEntry[];
  /** Why part of it could not be read. */
  readonly problem: string | undefined;
  /** Whether it is password-protected. */
  readonly isLocked: boolean;
}

const MAX_ENTRIES = 2000;

/** Reads the files of a zip, tar or gzip file; undefined for any other file. Never throws. */
export function archiveEntries(bytes: Buffer, maxBytes: number): ArchiveContent | undefined {
  try {
    switch (archiveFormat(bytes)) {
      case 'zip':
        return readZip(bytes, maxBytes);
      case 'gzip': {
        const unpacked = gunzipSync(bytes, { maxOutputLength: maxBytes });
        return archiveFormat(unpacked) === 'tar'
          ? readTar(unpacked)
          : { entries: [{ path: 'content', bytes: unpacked }], problem: undefined, isLocked: false };
      }
      case 'tar':
        return readTar(bytes);
    }
  } catch {
    return { entries: [], problem: 'the archive exceeds the limits or is damaged', isLocked: false };
  }
  return /^(?:7z\xbc\xaf|Rar!|BZh|\xfd7zXZ|MSCF)/.test(bytes.toString('latin1', 0, 6))
    ? { entries: [], problem: 'unsupported archive type', isLocked: false }
    : undefined;
}

function readTar(bytes: Buffer): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  const reader = createTarReader(
    ({ path, kind }) => {
      if (kind !== 'file') return undefined;
      if (entries.length >= MAX_ENTRIES) throw unsafeArchive(`more than ${MAX_ENTRIES} entries`);
      const parts: Uint8Array[] = [];
      return {
        write: (part) => parts.push(part),
        close: () => entries.push({ path, bytes: Buffer.concat(parts) }),
      };
    },
    { goesOn: true },
  );
  reader.write(bytes);
  reader.end();
  reader.discard();
  return { entries, problem: faultText(reader.fault), isLocked: false };
}

function readZip(bytes: Buffer, maxBytes: number): ArchiveContent {
  const entries: ArchiveEntry[] = [];
  const { zip, members, fault } = openZip(bytes, MAX_ENTRIES);
  zip.close();
  let problem = members.length === 0 ? undefined : faultText(fault);
  let left = maxBytes;
  for (const { entry, name, start } of members) {
    if (name.endsWith('/') || entry.isEncrypted() || start === undefined) continue;
    const packed = bytes.subarray(start, start + entry.compressedSize);
    try {
      if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
        throw new RangeError('unknown method');
      const content =
        entry.compressionMethod === 0
          ? packed
          : inflateRawSync(packed, { maxOutputLength: Math.max(1, left) });
      left -= content.length;
      entries.push({ path: name, bytes: content });
    } catch {
      problem ??= 'the archive holds more than is scanned';
    }
  }
  return { entries, problem, isLocked: members.some(({ entry }) => entry.isEncrypted()) };
}

const faultText = (fault: unknown): string | undefined =>
  fault === undefined ? undefined : fault instanceof Error ? fault.message : 'the archive is damaged';
