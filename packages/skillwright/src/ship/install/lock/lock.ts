// The lock of installed skills: their sources, the integrity of every file, and the findings somebody accepted. Everything
// in it is untrusted: it comes with a repository.

import { dirname } from 'node:path';
import * as z from 'zod';
import { countFact, describeIssue, oneLine, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  hashTree,
  isIgnoredName,
  readRegularFile,
  refuseLinks,
} from '../../../base/files/index.ts';
import type { FindingIdentity } from '../../../guard/scan/index.ts';
import { isSkillName } from '../../../skill/format/index.ts';

/** One accepted finding. It is valid for exactly this content of the file. */
export const Acceptance = z.strictObject({
  /** The id of the finding. */
  finding: z.string().regex(/^[0-9a-f]{12}$/, { error: 'is not a finding id' }),
  rule: z.string().min(1).max(64),
  file: z.string().min(1).max(1024),
  /** Digest of the file with the finding. */
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, { error: 'must be sha256: and 64 hexadecimal digits' }),
  by: z.string().min(1).max(200),
  reason: z.string().min(1).max(1000),
  at: z.iso.datetime(),
});
export type Acceptance = z.output<typeof Acceptance>;

/** Whether an acceptance covers this finding in this content. */
export function isAbout(
  { finding, rule, file, digest }: Pick<Acceptance, 'finding' | 'rule' | 'file' | 'digest'>,
  identity: FindingIdentity,
): boolean {
  return (
    finding === identity.id && rule === identity.rule && file === identity.file && digest === identity.digest
  );
}

/** An acceptance on one line. All of it is untrusted text. */
export function describeAcceptance({ rule, file, by, reason, finding }: Acceptance, skill: string): string {
  return `  ${oneLine(`${skill}: ${rule} in ${file} [${finding}], accepted by ${by}: ${reason}`)}`;
}

/** Version of the lock format. */
const LOCK_VERSION = 1;

const MAX_LOCK_BYTES = 64 * 1024 * 1024;

const Integrity = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, { error: 'must be sha256: and 64 hexadecimal digits' });

const FilePath = z.string().refine(isLockPath, { error: 'is not a path that skc writes inside a skill' });

/** One deployment of an installed skill. */
export const LockTarget = z.strictObject({
  /** An agent's id, or a directory: `./…` below the project or `~/…` below the home directory. */
  agent: z.string().refine(isTargetWord, { error: 'is neither an agent nor an allowed directory' }),
  method: z.enum(['link', 'copy']),
});
export type LockTarget = z.output<typeof LockTarget>;

/** One installed skill. */
export const LockedSkill = z
  .strictObject({
    source: z.string().min(1).max(4096),
    /** Path of the skill inside the source; empty for its root. */
    path: z.string().refine(isSourcePath, { error: 'points outside the source' }),
    resolution: z.strictObject({
      commit: z
        .string()
        .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: 'is not a commit' })
        .optional(),
      tag: z.literal(true).optional(),
      version: z.string().min(1).max(256).optional(),
      digest: Integrity.optional(),
      document: Integrity.optional(),
    }),
    pinned: z.boolean().default(false),
    /** Digest of all files together. */
    digest: Integrity,
    /** Files as the source has them. */
    files: z.record(FilePath, Integrity),
    /** Executable files. */
    executable: z.array(FilePath).default([]),
    /** The user's edits that an update kept: the new integrity of a file, or null for a deleted one. */
    edits: z.record(FilePath, Integrity.nullable()).default({}),
    targets: z.array(LockTarget),
    /** Accepted findings of the scan. */
    accepted: z.array(Acceptance).max(10_000).default([]),
    installed_at: z.iso.datetime(),
  })
  .refine(({ files }) => Object.hasOwn(files, 'SKILL.md'), {
    error: 'does not list SKILL.md',
    path: ['files'],
  })
  .refine(({ digest, files }) => digest === digestOf(files), {
    error: 'does not match the files',
    path: ['digest'],
  })
  .refine(({ executable, files }) => executable.every((path) => Object.hasOwn(files, path)), {
    error: 'names a missing file',
    path: ['executable'],
  });
export type LockedSkill = z.output<typeof LockedSkill>;

/** The whole file. */
export const LockShape = z.strictObject({
  version: z.literal(LOCK_VERSION),
  skills: z.record(z.string().refine(isSkillName, { error: 'is not a skill name' }), LockedSkill),
});

/** The installed skills of one scope, by name. */
export interface Lock {
  readonly skills: Readonly<Record<string, LockedSkill>>;
}

/** A lock and the exact text it was read from; null without a file. */
export interface ReadLock {
  readonly lock: Lock;
  readonly text: string | null;
}

/** The integrity of a whole skill. */
export function digestOf(files: Readonly<Record<string, string>>): string {
  return `sha256:${hashTree(Object.entries(files).map(([path, sha256]) => ({ path, sha256: sha256.slice(7) })))}`;
}

/** The entry of a name. */
export function entryOf({ skills }: Lock, name: string): LockedSkill | undefined {
  return Object.hasOwn(skills, name) ? skills[name] : undefined;
}

/** The entry of an installed skill. E001 when it is gone. */
export function requireEntry(lock: Lock, name: string): LockedSkill {
  const entry = entryOf(lock, name);
  if (entry === undefined) throw SkillwrightError.of('E001', { skill: name });
  return entry;
}

/** Reads the lock at `path`; a missing one is empty. E211 when it cannot be used. */
export function readLock(path: string): ReadLock {
  const text = readLockText(path);
  if (text === null) return { lock: { skills: {} }, text };
  countFact('lock', path);
  return { lock: parseLock(text, path), text };
}

/** The lock as it is now: what was read before, while its text is the same. For a look that safety needs. */
export function readAgain(path: string, before: ReadLock): ReadLock {
  const text = readLockText(path);
  if (text === before.text) return before;
  return { lock: text === null ? { skills: {} } : parseLock(text, path), text };
}

/** The unparsed text of the lock at `path`; null without a file. E211 when it cannot be read. */
export function readLockText(path: string): string | null {
  try {
    refuseLinks(dirname(path), path);
    return readRegularFile(path, { maxBytes: MAX_LOCK_BYTES })?.toString('utf8') ?? null;
  } catch (error) {
    if (error instanceof SkillwrightError) throw unusableLock(path, error.message);
    throw error;
  }
}

/** Parses a lock. E211 names `path` and the problem. */
export function parseLock(text: string, path: string): Lock {
  const value = parseJsonText(text, (why, { isMerge }) =>
    unusableLock(path, why, isMerge ? "'skc install' merges both sides, skill by skill" : undefined),
  );
  const odd = findOddKey(text);
  if (odd !== undefined) throw unusableLock(path, odd);
  checkVersion(value, path);
  const result = LockShape.safeParse(value);
  if (result.success) return { skills: result.data.skills };
  throw unusableLock(path, explainLockIssue(result.error.issues[0]!));
}

function explainLockIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.map(String).join(' › ') || 'the file';
  if (issue.code === 'unrecognized_keys') return `${where} has the unknown key '${issue.keys[0]}'`;
  // The reason for a refused key is one level down.
  return `${where} ${describeIssue(issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue)}`;
}

function checkVersion(value: unknown, path: string): void {
  const version =
    typeof value === 'object' && value !== null ? (value as { version?: unknown }).version : undefined;
  if (typeof version === 'number' && version > LOCK_VERSION)
    throw unusableLock(path, `version ${version} of the format needs a newer skc`);
}

/** The text of a lock: equal locks give equal text. */
export function renderLock({ skills }: Lock): string {
  const names = Object.keys(skills).sort(compareBytes);
  const ordered = Object.fromEntries(names.map((name) => [name, orderEntry(skills[name]!)]));
  return `${JSON.stringify({ version: LOCK_VERSION, skills: ordered }, null, 2)}\n`;
}

function orderEntry(entry: LockedSkill): Record<string, unknown> {
  const {
    source,
    path,
    resolution,
    pinned,
    digest,
    files,
    executable,
    edits,
    targets,
    accepted,
    installed_at,
  } = entry;
  const { commit, tag, version, digest: download, document } = resolution;
  return {
    source,
    path,
    resolution: { commit, tag, version, digest: download, document },
    ...(pinned ? { pinned } : {}),
    installed_at,
    targets: [...targets].sort((a, b) => compareBytes(a.agent, b.agent)),
    digest,
    files: sortKeys(files),
    ...(executable.length === 0 ? {} : { executable: [...executable].sort(compareBytes) }),
    ...(Object.keys(edits).length === 0 ? {} : { edits: sortKeys(edits) }),
    ...(accepted.length === 0 ? {} : { accepted: sortAccepted(accepted) }),
  };
}

function sortAccepted(accepted: readonly Acceptance[]): Acceptance[] {
  const keyOf = ({ file, rule, finding }: Acceptance) => `${file}\0${rule}\0${finding}`;
  return [...accepted].sort((a, b) => compareBytes(keyOf(a), keyOf(b)));
}

function sortKeys<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareBytes(a, b)));
}

function unusableLock(
  path: string,
  why: string,
  help = 'restore the last good version of the file; nothing was changed',
): SkillwrightError {
  return SkillwrightError.of('E211', { path, why }, { help });
}

const MAX_PATH = 1024;

/** Segments separated by `/`, without `.` or `..`. */
function isRelative(path: string): boolean {
  return (
    path.length <= MAX_PATH &&
    !/[\\\p{Cc}]/u.test(path) &&
    !/^[a-z]:/i.test(path) &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}

/** True for the path of a file that can be part of a skill. */
export function isLockPath(path: string): boolean {
  return (
    isRelative(path) && !path.split('/').some((segment) => isIgnoredName(segment) || segment === '__proto__')
  );
}

/** True for a path inside a source; the empty text is its root. */
function isSourcePath(path: string): boolean {
  return path === '' || isRelative(path);
}

/** True for an agent's id, and for a directory below the project (`./…`) or the home directory (`~/…`). */
function isTargetWord(word: string): boolean {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(word)) return true;
  return /^[.~]\//.test(word) && isRelative(word.slice(2));
}

/** The first problem with the keys of a JSON text's objects; undefined when there is none. The text must be valid JSON. */
function findOddKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g)) {
    const keys = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && keys !== undefined && last !== undefined) {
      const key = JSON.parse(last) as string;
      if (keys.has(key)) return `the key '${key}' appears twice`;
      if (key === '__proto__') return `'${key}' is not allowed as a key`;
      keys.add(key);
    }
    last = token.startsWith('"') ? token : undefined;
  }
  return undefined;
}

/** Parses a JSON text; throws the error that `refuse` makes of the reason when it is not valid. */
export function parseJsonText(
  text: string,
  refuse: (why: string, about: { isMerge: boolean }) => Error,
): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    const isMerge = /^(?:<{7}|={7}|>{7})(?: |\r?$)/m.test(text);
    throw refuse(isMerge ? 'it has merge conflict markers' : 'it is not JSON', { isMerge });
  }
}
