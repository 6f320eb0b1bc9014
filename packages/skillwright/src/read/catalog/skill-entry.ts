// One SKILL.md in the form the cache stores.

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  isMissing,
  MAX_TEXT_BYTES,
  readError,
  readInside,
  sha256,
  statusAt,
  systemErrorCode,
} from '../../base/files/index.ts';
import { type Frontmatter, hasQuizGate, readFrontmatter } from '../../skill/format/index.ts';
import { findSkillProblem, nameSkill, notText, SKILL_FILE, type Skill } from '../../skill/skill/index.ts';
import { createFileReader, type FileStamp, isUnchanged, makeStamp, type SkillFile } from './read-root.ts';

/** One SKILL.md as read. */
export interface SkillEntry {
  /** Canonical directory. */
  readonly dir: string;
  readonly name: string;
  readonly mtimeMs: number;
  /** Stamp of its file; undefined when it may change again without a visible difference. */
  readonly stamp: FileStamp | undefined;
  /** 24 hex digits derived from its path. */
  readonly id: string;
  readonly digest: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** True when the text mentions the gateway, as stubs do. */
  readonly mayBeStub: boolean;
  /** Set when a quiz locks it. The quiz itself is never cached: it holds the answers. */
  readonly gated?: true;
  /** Why it cannot be used as a skill. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Reads the SKILL.md of a directory; undefined when there is none. Never throws. */
type EntryReader = (dir: string) => SkillEntry | undefined;

/** Words in every stub, from any compiler. */
const stubMark = Buffer.from('skc outline ');
/** Closing fence of a frontmatter, and the end of its line. */
const fenceMark = Buffer.from('\n---');
const LINE_FEED = 10;

/**
 * Creates a reader that reads a file only when it differs from the `known` entry of its directory. Entries in `read` count
 * as they are, and what is read is added to them.
 */
export function createEntryReader(
  known: ReadonlyMap<string, SkillEntry>,
  read: Map<string, SkillEntry> = new Map(),
): EntryReader {
  const readFile = createFileReader();
  const look: EntryReader = (dir) => {
    const path = dir + sep + SKILL_FILE;
    const before = known.get(dir);
    try {
      if (before !== undefined) {
        const status = statusAt(path);
        if (status === undefined) return undefined;
        if (isUnchanged(before.stamp, status)) return before;
      }
      return describe(dir, readFile(path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      return systemErrorCode(error) === 'ELOOP' ? readLinked(dir) : failed(dir, readError(path, error));
    }
  };
  return (dir) => {
    const entry = read.get(dir) ?? look(dir);
    if (entry !== undefined) read.set(dir, entry);
    return entry;
  };
}

/** The entry of a skill that was opened after `time`. */
export function entryOfSkill({ dir, path, text, parts, problem, ...skill }: Skill, time: number): SkillEntry {
  const status = statusAt(path);
  return makeEntry(
    { dir, name: skill.name, id: skill.id, digest: skill.digest, gated: skill.gated, problem },
    {
      parts,
      mtimeMs: status?.mtimeMs ?? 0,
      stamp: status && makeStamp(status, time),
      mayBeStub: text.includes(stubMark.toString()),
    },
  );
}

/** A SKILL.md that is a link: it must lead to a file inside the skill. */
function readLinked(dir: string): SkillEntry | undefined {
  const path = dir + sep + SKILL_FILE;
  try {
    const bytes = readInside(dir, SKILL_FILE, { maxBytes: MAX_TEXT_BYTES });
    if (bytes === undefined) return undefined;
    return describe(dir, {
      bytes,
      mtimeMs: statSync(path).mtimeMs,
      stamp: undefined,
    });
  } catch (error) {
    return isMissing(error) ? undefined : failed(dir, readError(path, error));
  }
}

function describe(dir: string, { bytes, mtimeMs, stamp }: SkillFile): SkillEntry {
  const parts = readHead(bytes, dir);
  const data = parts.data ?? {};
  const path = dir + sep + SKILL_FILE;
  const name = nameSkill(data, dir);
  const isText = isUtf8(bytes) && !bytes.includes(0);
  // Do not offer a model a skill that loading would refuse.
  const problem = isText ? findSkillProblem(parts, { name, path }) : notText(path);
  return makeEntry(
    {
      ...{ dir, name, problem },
      id: sha256(path).slice(0, 24),
      digest: sha256(bytes),
      gated: 'quiz' in data && hasQuizGate(data),
    },
    { parts, mtimeMs, stamp, mayBeStub: bytes.includes(stubMark) },
  );
}

type ReadFacts = Pick<SkillEntry, 'mtimeMs' | 'stamp' | 'mayBeStub'> & { readonly parts: Frontmatter };

function makeEntry(
  { gated, problem, ...skill }: Pick<Skill, 'dir' | 'name' | 'id' | 'digest' | 'gated' | 'problem'>,
  { parts: { data = {}, yaml }, stamp, ...read }: ReadFacts,
): SkillEntry {
  return {
    ...skill,
    ...read,
    // JSON, the format of the cache, has no such numbers.
    stamp: /\.(?:inf|nan)\b/i.test(yaml) ? undefined : stamp,
    frontmatter: 'quiz' in data ? withoutQuiz(data) : data,
    ...(gated ? { gated } : {}),
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: problem.message } }),
  };
}

function withoutQuiz({ quiz: _, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rest;
}

/**
 * Parses the frontmatter from the start of the bytes when possible: parsed values reference their text, and would keep
 * the whole file in memory.
 */
function readHead(bytes: Buffer, dir: string): Frontmatter {
  // A listing may be as old as its cache, so a listed skill is opened again before it is used.
  const counted = { as: 'listed', about: dir };
  const fence = bytes.indexOf(fenceMark, 3);
  const end = fence === -1 ? -1 : bytes.indexOf(LINE_FEED, fence + 4);
  if (end !== -1) {
    const reading = readFrontmatter(bytes.toString('utf8', 0, end + 1), counted);
    if (!reading.problems.some(({ kind }) => kind === 'unterminated')) return reading;
  }
  return readFrontmatter(bytes.toString('utf8'), counted);
}

function failed(dir: string, error: unknown): SkillEntry {
  if (!(error instanceof SkillwrightError)) throw error;
  const { code, message } = error;
  const nothing = {
    mtimeMs: 0,
    stamp: undefined,
    id: '',
    digest: '',
    frontmatter: {},
    mayBeStub: false,
  };
  return { dir, name: basename(dir), ...nothing, problem: { code, message } };
}
