// The tree of a commit and the files in it that belong to skills, read without a checkout: no filters, no attributes, no
// hooks.

import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { unsafeArchive } from '../../../../base/archive/index.ts';
import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../../../base/diagnostics/index.ts';
import { isIgnoredName, systemErrorCode, writeError, writeNewFile } from '../../../../base/files/index.ts';
import { SKILL_FILE } from '../../../../skill/skill/index.ts';
import {
  type ArchiveLimits,
  archiveLimits,
  createEntryGuard,
  type EntryGuard,
} from '../../archive/entry-guard.ts';
import { type GitWorkplace, runGit } from './run-git.ts';

/** One file or link of a tree. Directories are implied. */
interface GitEntry {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly object: string;
  readonly kind: 'file' | 'program' | 'link';
}

const kinds: Readonly<Record<string, GitEntry['kind']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'program',
  '120000': 'link',
};

/** A tree, and the paths of its submodules. */
interface GitTree {
  readonly entries: readonly GitEntry[];
  readonly submodules: readonly string[];
}

const SUBMODULE = '160000';

/** Parses the output of `git ls-tree -r -z`. */
export function readTree(output: Buffer): GitTree {
  const entries: GitEntry[] = [];
  const submodules: string[] = [];
  for (const line of output.toString('utf8').split('\0')) {
    const match = /^(\d{6}) (?:blob|commit) ([0-9a-f]{40,64})\t(.*)$/s.exec(line);
    const kind = match === null ? undefined : kinds[match[1]!];
    if (match !== null && kind !== undefined) entries.push({ path: match[3]!, object: match[2]!, kind });
    else if (match?.[1] === SUBMODULE) submodules.push(match[3]!);
  }
  return { entries, submodules };
}

/** The entries below a directory, with paths relative to it; undefined when there is no such directory. */
export function enterTree(entries: readonly GitEntry[], path: string | undefined): GitEntry[] | undefined {
  if (path === undefined) return [...entries];
  const prefix = `${path}/`;
  const below = entries.filter((entry) => entry.path.startsWith(prefix));
  if (below.length === 0) return undefined;
  return below.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
}

/** Files per skill, and files needed to find the skills. */
interface GitSelection {
  /** By directory, empty for the root. */
  readonly skills: ReadonlyMap<string, readonly GitEntry[]>;
  /** Manifests and links; a link may replace a skill's directory. */
  readonly others: readonly GitEntry[];
}

const MANIFEST = /(?:^|\/)(?:plugin|marketplace|api_marketplace)\.json$/;
const COMPILED_MARK = /(?:^|\/)\.skillc\/manifest\.json$|(?:^|\/)\.skillc-meta(?:\/|$)/;

/** Selects the files of skills from a tree. Files in a skill belong to that skill alone, and to a skill at the root. */
export function selectSkills(entries: readonly GitEntry[]): GitSelection {
  const marked = new Set(
    entries.filter(({ path }) => posix.basename(path) === SKILL_FILE).map(({ path }) => directoryOf(path)),
  );
  const skills = new Map<string, GitEntry[]>();
  const others: GitEntry[] = [];
  const add = (dir: string, entry: GitEntry): void => {
    const known = skills.get(dir);
    if (known === undefined) skills.set(dir, [entry]);
    else known.push(entry);
  };
  for (const entry of entries) {
    const dir = outermost(entry.path, marked);
    const owners = [...(marked.has('') ? [''] : []), ...(dir === undefined ? [] : [dir])];
    for (const owner of owners) if (belongs(entry.path, owner)) add(owner, entry);
    if (MANIFEST.test(entry.path) || entry.kind === 'link' || COMPILED_MARK.test(entry.path))
      others.push(entry);
  }
  return { skills, others };
}

/** The outermost directory above a path that is a skill, the root excepted. */
function outermost(path: string, marked: ReadonlySet<string>): string | undefined {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const dir = path.slice(0, at);
    if (marked.has(dir)) return dir;
  }
  return undefined;
}

function belongs(path: string, dir: string): boolean {
  const below = dir === '' ? path : path.slice(dir.length + 1);
  return !below.split('/').some(isIgnoredName);
}

function directoryOf(path: string): string {
  const dir = posix.dirname(path);
  return dir === '.' ? '' : dir;
}

/** Fetches the objects that a partial fetch left out. */
async function completeObjects(
  objects: ReadonlySet<string>,
  commit: string,
  workplace: GitWorkplace,
): Promise<void> {
  const words = ['rev-list', '--objects', '--no-object-names', '--missing=print', commit];
  const listed = (await runGit(words, workplace)).toString('latin1').split('\n');
  const missing = listed.filter((line) => line.startsWith('?')).map((line) => line.slice(1));
  const wanted = missing.filter((object) => objects.has(object));
  if (wanted.length === 0) return;
  const fetch = [
    'fetch',
    '--no-tags',
    '--no-write-fetch-head',
    '--recurse-submodules=no',
    '--filter=blob:none',
  ];
  await runGit(
    ['-c', 'fetch.negotiationAlgorithm=noop', ...fetch, '--progress', '--stdin', 'origin'],
    workplace,
    { input: wanted.join('\n') },
  );
}

/** The sizes of objects. */
async function measureObjects(
  objects: readonly string[],
  workplace: GitWorkplace,
): Promise<Map<string, number>> {
  const output = await runGit(['cat-file', '--batch-check'], workplace, {
    input: objects.join('\n'),
  });
  const sizes = new Map<string, number>();
  for (const line of output.toString('latin1').split('\n')) {
    const [object, type, size] = line.split(' ');
    if (object !== undefined && type === 'blob') sizes.set(object, Number(size));
  }
  return sizes;
}

/** So much is read from git at once. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** Reads objects in batches and passes each on whole. */
async function readObjects(
  objects: readonly string[],
  { sizes, workplace }: { sizes: ReadonlyMap<string, number>; workplace: GitWorkplace },
  take: (object: string, bytes: Buffer) => void,
): Promise<void> {
  for (let first = 0; first < objects.length; ) {
    let last = first;
    for (let bytes = 0; last < objects.length && bytes < BATCH_BYTES; last++)
      bytes += sizes.get(objects[last]!) ?? 0;
    const output = await runGit(['cat-file', '--batch'], workplace, {
      input: objects.slice(first, last).join('\n'),
      maxOutput: Number.POSITIVE_INFINITY,
    });
    // A line with name, type and size, the bytes, a line feed.
    for (let at = 0; at < output.length; ) {
      const start = output.indexOf('\n', at) + 1;
      const [object = '', type, size] = output.toString('latin1', at, start - 1).split(' ');
      if (type !== 'blob') throw unsafeArchive(`object ${object} is missing or not a file`);
      at = start + Number(size) + 1;
      take(object, output.subarray(start, at - 1));
    }
    first = last;
  }
}

// Writes the files of skills from the objects of a repository.

/** Limit for a repository, as a multiple of the limit for one skill. */
const REPOSITORY_FACTOR = 10;

/**
 * Writes the files of skills below the new directory `tree`. A skill that breaks a rule is left out with the reason, and
 * the rest are written.
 */
export async function writeSelection(
  tree: string,
  selection: GitSelection,
  { workplace, commit }: { workplace: GitWorkplace; commit: string },
): Promise<Diagnostic[]> {
  mkdirSync(tree);
  const limits = archiveLimits(workplace.context.config.network);
  const all = [...selection.others, ...[...selection.skills.values()].flat()];
  const objects = new Set(all.map(({ object }) => object));
  await completeObjects(objects, commit, workplace);
  const sizes = await measureObjects([...objects], workplace);
  const { places, diagnostics } = admit(selection, sizes, limits);
  const links: { place: string; target: string }[] = [];
  await readObjects([...places.keys()], { sizes, workplace }, (object, bytes) => {
    for (const { path, kind } of places.get(object) ?? []) {
      if (isStandIn(bytes)) diagnostics.push(describeStandIn(path, selection));
      if (kind === 'link') links.push({ place: join(tree, path), target: bytes.toString('utf8') });
      else writeNewFile(join(tree, path), bytes, { mode: kind === 'program' ? 0o755 : 0o644 });
    }
  });
  // Last, so that nothing is written through a link. Finding and copying skills checks the targets.
  for (const { place, target } of links) makeLink(place, target);
  return diagnostics;
}

/** Checks names and sizes skill by skill; returns the files to write, by object. */
function admit(
  { skills, others }: GitSelection,
  sizes: ReadonlyMap<string, number>,
  limits: ArchiveLimits,
): { places: Map<string, GitEntry[]>; diagnostics: Diagnostic[] } {
  const places = new Map<string, GitEntry[]>();
  const diagnostics: Diagnostic[] = [];
  const accepted = new Set<string>();
  const whole = createEntryGuard({
    ...limits,
    maxEntries: limits.maxEntries * REPOSITORY_FACTOR,
    maxBytes: limits.maxBytes * REPOSITORY_FACTOR,
  });
  const accept = (entry: GitEntry): void => {
    if (accepted.has(entry.path)) return;
    accepted.add(entry.path);
    whole.admit(entry.path, 'file');
    whole.count(sizes.get(entry.object) ?? 0);
    const same = places.get(entry.object);
    if (same === undefined) places.set(entry.object, [entry]);
    else same.push(entry);
  };
  const attempt = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      diagnostics.push({ ...diagnosticOf(error), help: `'${path || '.'}' is left out`, data: { path } });
    }
  };
  for (const [dir, entries] of skills)
    attempt(dir, () => {
      checkSkill(entries, sizes, createEntryGuard(limits));
      for (const entry of entries) accept(entry);
    });
  for (const entry of others) if (isSmall(sizes.get(entry.object))) attempt(entry.path, () => accept(entry));
  return { places, diagnostics };
}

function checkSkill(
  entries: readonly GitEntry[],
  sizes: ReadonlyMap<string, number>,
  guard: EntryGuard,
): void {
  for (const { path, object } of entries) {
    guard.admit(path, 'file');
    const size = sizes.get(object);
    if (size === undefined) throw unsafeArchive(`'${path}' is missing from the repository`);
    guard.count(size);
  }
}

const STAND_IN = 'version https://git-lfs.github.com/spec/v1\n';
const MAX_STAND_IN_BYTES = 1024;

/** Whether a file is only a git LFS pointer. */
function isStandIn(bytes: Buffer): boolean {
  return bytes.length <= MAX_STAND_IN_BYTES && bytes.toString('latin1', 0, STAND_IN.length) === STAND_IN;
}

function describeStandIn(path: string, { skills }: GitSelection): Diagnostic {
  const owner = [...skills.keys()].find((dir) => dir !== '' && path.startsWith(`${dir}/`));
  const why = 'its content is in git LFS, and only the pointer file was fetched';
  const error = SkillwrightError.of('E015', { path, why });
  return { ...diagnosticOf(error), data: owner === undefined ? {} : { skill: posix.basename(owner), path } };
}

const MAX_OTHER_BYTES = 1024 * 1024;

function isSmall(size: number | undefined): boolean {
  return size !== undefined && size <= MAX_OTHER_BYTES;
}

function makeLink(place: string, target: string): void {
  try {
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place);
  } catch (error) {
    // A link that the system cannot create, or one below a file or another link, is dropped.
    const code = systemErrorCode(error);
    if (
      code !== 'ENOTDIR' &&
      code !== 'EEXIST' &&
      code !== 'EINVAL' &&
      code !== 'ENAMETOOLONG' &&
      code !== 'ENOENT'
    )
      throw writeError(place, error);
  }
}
