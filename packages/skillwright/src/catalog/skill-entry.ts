// What one SKILL.md says, in the form that is remembered between starts.

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { readInside } from '../files/contained-path.ts';
import { sha256 } from '../files/hash.ts';
import { tooLarge } from '../files/read-regular-file.ts';
import { MAX_TEXT_BYTES } from '../files/read-text.ts';
import { isMissing, readError, systemErrorCode } from '../files/system-error.ts';
import { type Frontmatter, readFrontmatter } from '../format/frontmatter.ts';
import { SKILL_FILE } from '../places/resolve-skill.ts';

/** One SKILL.md as it was read. */
export interface SkillEntry {
  /** Canonical directory. */
  readonly dir: string;
  readonly name: string;
  readonly mtimeMs: number;
  /** What its file looked like; undefined when it may change again without looking different. */
  readonly stamp: FileStamp | undefined;
  /** 24 hex digits that stand for its path. */
  readonly id: string;
  readonly digest: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** True when the text speaks of the gateway, as stubs do. */
  readonly mayBeStub: boolean;
  /** Why it is no skill after all. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Modification, change of the file's record, size and number: none of them alone tells every change. */
export type FileStamp = readonly [mtimeMs: number, ctimeMs: number, size: number, inode: number];

/** Finds out whether a directory is a skill, and what its SKILL.md says; undefined when there is none. Never throws. */
export type EntryReader = (dir: string) => SkillEntry | undefined;

/** File systems tell times apart no finer than this, and the coarse ones keep whole seconds. */
const FINE_CLOCK_MS = 50;
const COARSE_CLOCK_MS = 2500;

/** Words of every stub, whoever compiled it. */
const stubMark = /\bskc (?:outline|show)\b/;

/** Makes a reader that reads a file only when it differs from what is `known` of its directory. */
export function createEntryReader(known: ReadonlyMap<string, SkillEntry>): EntryReader {
  const readFile = createFileReader();
  return (dir) => {
    const path = dir + sep + SKILL_FILE;
    const before = known.get(dir);
    try {
      if (before !== undefined) {
        const status = lstatSync(path, { throwIfNoEntry: false });
        if (status === undefined) return undefined;
        if (isUnchanged(before.stamp, status)) return before;
      }
      return describe(dir, readFile(path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      return systemErrorCode(error) === 'ELOOP' ? readLinked(dir) : failed(dir, readError(path, error));
    }
  };
}

/** A SKILL.md that is a link: to a file inside the skill, or it is refused. One that leads nowhere is not there. */
function readLinked(dir: string): SkillEntry | undefined {
  const path = dir + sep + SKILL_FILE;
  try {
    const bytes = readInside(dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
    if (bytes === undefined) return undefined;
    return describe(dir, { bytes, mtimeMs: statSync(path).mtimeMs, stamp: undefined });
  } catch (error) {
    return isMissing(error) ? undefined : failed(dir, readError(path, error));
  }
}

/** A file as it was read. */
interface SkillFile {
  readonly bytes: Buffer;
  readonly mtimeMs: number;
  readonly stamp: FileStamp | undefined;
}

function describe(dir: string, { bytes, mtimeMs, stamp }: SkillFile): SkillEntry {
  const { data, problems, yaml } = readHead(bytes);
  const frontmatter = data ?? {};
  const written = frontmatter.name;
  const problem = findProblem(data, { path: dir + sep + SKILL_FILE, problems });
  return {
    dir,
    name: typeof written === 'string' && written.trim() !== '' ? written.trim() : basename(dir),
    mtimeMs,
    // JSON, in which entries are remembered, has no such numbers.
    stamp: /\.(?:inf|nan)\b/i.test(yaml) ? undefined : stamp,
    id: sha256(dir + sep + SKILL_FILE).slice(0, 24),
    digest: sha256(bytes),
    frontmatter,
    mayBeStub: bytes.includes('skc ') && stubMark.test(bytes.toString('utf8')),
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: problem.message } }),
  };
}

/**
 * Reads the frontmatter from the beginning of the bytes where that is enough: values are parts of the text they were
 * read from, and would keep the whole of it in memory.
 */
function readHead(bytes: Buffer): Frontmatter {
  const fence = bytes.indexOf('\n---', 3);
  const end = fence === -1 ? -1 : bytes.indexOf('\n', fence + 4);
  if (end !== -1) {
    const reading = readFrontmatter(bytes.toString('utf8', 0, end + 1));
    if (!reading.problems.some(({ kind }) => kind === 'unterminated')) return reading;
  }
  return readFrontmatter(bytes.toString('utf8'));
}

/** Without a description an agent cannot choose a skill, and YAML that cannot be read has none. */
function findProblem(
  data: Frontmatter['data'],
  { path, problems }: { path: string; problems: Frontmatter['problems'] },
): SkillwrightError | undefined {
  const [first] = problems;
  if (data === undefined && first?.kind !== 'missing') {
    const why = `${first?.message ?? 'unknown'}, line ${first?.line ?? 1}`;
    return SkillwrightError.of('E014', { path, why });
  }
  const description = data?.description;
  if (typeof description === 'string' && description.trim() !== '') return undefined;
  return SkillwrightError.of('E011', { field: 'description' });
}

function failed(dir: string, error: unknown): SkillEntry {
  if (!(error instanceof SkillwrightError)) throw error;
  const { code, message } = error;
  const nothing = { mtimeMs: 0, stamp: undefined, id: '', digest: '', frontmatter: {}, mayBeStub: false };
  return { dir, name: basename(dir), ...nothing, problem: { code, message } };
}

function isUnchanged(stamp: FileStamp | undefined, status: Stats): boolean {
  return (
    stamp !== undefined &&
    stamp[0] === status.mtimeMs &&
    stamp[1] === status.ctimeMs &&
    stamp[2] === status.size &&
    stamp[3] === status.ino
  );
}

/** A file that changed just before it was read may change again within the same tick of its clock, to the same size. */
function stampOf(status: Stats, looked: number): FileStamp | undefined {
  const { mtimeMs, ctimeMs, size, ino } = status;
  const tick = ctimeMs % 1000 === 0 ? COARSE_CLOCK_MS : FINE_CLOCK_MS;
  return ctimeMs > looked - tick ? undefined : [mtimeMs, ctimeMs, size, ino];
}

const SPACE_BYTES = 1024 * 1024;

/** Reads into one buffer again and again: thousands of small buffers would wait for the garbage collector. */
function createFileReader(): (path: string) => SkillFile {
  const space = Buffer.allocUnsafeSlow(SPACE_BYTES);
  return (path) => {
    const looked = Date.now();
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(path, flags);
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile()) throw SkillwrightError.of('E015', { path, why: 'not a regular file' });
      const { size } = status;
      if (size > MAX_TEXT_BYTES) throw tooLarge(path, MAX_TEXT_BYTES);
      const target = size > SPACE_BYTES ? Buffer.allocUnsafeSlow(size) : space;
      let length = 0;
      // What is added while it is read shows in the stamp next time.
      while (length < size) {
        const count = readSync(descriptor, target, length, size - length, null);
        if (count === 0) break;
        length += count;
      }
      const bytes = target.subarray(0, length);
      return { bytes, mtimeMs: status.mtimeMs, stamp: stampOf(status, looked) };
    } finally {
      closeSync(descriptor);
    }
  };
}
