// Every file of a skill, hidden ones included, within bounds.

import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, formatBytes, MAX_TEXT_BYTES, readInside, walkTree } from '../../base/files/index.ts';
import type { SkippedFile } from './finding.ts';
import { ScanFile } from './scan-file.ts';
import type { OddEntry } from './scan-subject.ts';

/** What was read. */
export interface ScannedFiles {
  readonly files: readonly ScanFile[];
  readonly odd: readonly OddEntry[];
  readonly skipped: readonly SkippedFile[];
  /** Whether something was left out that could hold instructions or programs. */
  readonly isPartial: boolean;
  /** Size of every file, scanned or not. */
  readonly bytes: number;
}

/** No more text than this is looked at in one skill, and in one file: a scan must end in seconds, whatever it is given. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** What git keeps for itself; its hooks and settings are looked at. */
const isGitStore = (path: string): boolean =>
  /(?:^|\/)\.git\/(?!hooks\/|config$)/.test(path) || /\.sample$/.test(path);

/** What is too large to be read and by its name no text: pictures, sound, fonts, models. */
const isMedia = (path: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|mp[34]|m4[av]|mov|webm|wav|ogg|flac|pdf|ttf|otf|woff2?|onnx|safetensors|gguf)$/i.test(
    path,
  );

/** Reads what is in the skill's directory. Total: never throws. */
export function readScannedFiles(dir: string): ScannedFiles {
  const files: ScanFile[] = [];
  const odd: OddEntry[] = [];
  const skipped: SkippedFile[] = [];
  let bytes = 0;
  let read = 0;
  let isPartial = false;
  const leaveOut = (file: string, why: string): void => {
    skipped.push({ file, why });
    isPartial = true;
  };
  const { entries, truncated } = walkTree(dir, { ignores: () => false });
  // Small files first: nothing is kept from being read by large ones beside it.
  const sized = entries.map((entry) => ({
    ...entry,
    size: entry.kind === 'file' ? sizeOf(join(dir, entry.path)) : 0,
  }));
  for (const { path, kind, why, size } of sized.sort((a, b) => a.size - b.size)) {
    if (kind === 'directory' || kind === 'linked-directory' || isGitStore(path)) continue;
    if (kind === 'unreadable') leaveOut(path === '' ? '.' : path, why ?? 'cannot be listed');
    else if (kind === 'escape')
      odd.push({ path, kind: 'escape', what: `a link leads out of the skill: ${targetOf(join(dir, path))}` });
    else if (kind === 'special')
      odd.push({ path, kind: 'special', what: 'neither a file nor a directory stands here' });
    else if (kind === 'file') {
      bytes += size;
      const given = readOne(dir, path);
      if (typeof given === 'string') {
        if (isMedia(path)) skipped.push({ file: path, why: given });
        else leaveOut(path, given);
      } else if (given !== undefined) {
        const program = programKind(given);
        if (program !== undefined) {
          const innocent = /\.(?:md|txt|json|ya?ml|png|jpe?g|gif|svg|pdf|csv)$/i.test(path);
          odd.push({
            path,
            kind: innocent ? 'disguised' : 'program',
            what: innocent
              ? `${program} goes by the name of something else`
              : `${program} without its source`,
          });
          skipped.push({ file: path, why: program });
          continue;
        }
        const room = Math.min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - read);
        const { text, binary } = decodeUnicode(given.subarray(0, room));
        if (binary) {
          skipped.push({ file: path, why: 'not text' });
          continue;
        }
        if (given.length > room)
          leaveOut(
            path,
            room === 0
              ? `more than ${formatBytes(MAX_TOTAL_BYTES)} of text in the skill`
              : `only the first ${formatBytes(room)}`,
          );
        read += Math.min(given.length, room);
        files.push(new ScanFile(path, text));
      }
    }
  }
  if (truncated) leaveOut('.', 'more files or deeper directories than a skill may have');
  const inOrder = (a: SkippedFile, b: SkippedFile): number =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
  return { files, odd, skipped: skipped.sort(inOrder), isPartial, bytes };
}

function readOne(dir: string, path: string): Buffer | string | undefined {
  try {
    return readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
  } catch (error) {
    if (error instanceof SkillwrightError) return error.message;
    throw error;
  }
}

/** Text in UTF-16 with its mark is text too: PowerShell writes it. */
function decodeUnicode(bytes: Buffer): { text: string; binary: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString('utf16le'), binary: false };
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0)
    return { text: Buffer.from(bytes).swap16().toString('utf16le'), binary: false };
  return decodeText(bytes);
}

function programKind(bytes: Buffer): string | undefined {
  if (bytes.length < 4) return undefined;
  const magic = bytes.readUInt32BE(0);
  if (magic === 0x7f454c46) return 'a compiled program for Linux';
  if (magic >>> 16 === 0x4d5a && bytes.subarray(0, 1024).includes(0)) return 'a compiled program for Windows';
  if ([0xfeedface, 0xfeedfacf, 0xcffaedfe, 0xcefaedfe].includes(magic)) return 'a compiled program for macOS';
  return undefined;
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return 'it cannot be followed';
  }
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}
