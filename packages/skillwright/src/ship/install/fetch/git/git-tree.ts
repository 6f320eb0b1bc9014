// The tree of a commit and the files in it that belong to skills, read without a checkout: no filters, no attributes, no
// hooks.

import { posix } from 'node:path';
import { unsafeArchive } from '../../../../base/archive/index.ts';
import { isIgnoredName } from '../../../../base/files/index.ts';
import { SKILL_FILE } from '../../../../skill/skill/index.ts';
import { type GitWorkplace, runGit } from './run-git.ts';

/** One file or link of a tree. Directories are implied. */
export interface GitEntry {
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
export interface GitSelection {
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
export async function completeObjects(
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
    {
      input: wanted.map((object) => `${object}\n`).join(''),
    },
  );
}

/** The sizes of objects. */
export async function measureObjects(
  objects: readonly string[],
  workplace: GitWorkplace,
): Promise<Map<string, number>> {
  const output = await runGit(['cat-file', '--batch-check'], workplace, {
    input: objects.map((object) => `${object}\n`).join(''),
  });
  const sizes = new Map<string, number>();
  for (const line of output.toString('latin1').split('\n')) {
    const [object, type, size] = line.split(' ');
    if (object !== undefined && type === 'blob') sizes.set(object, Number(size));
  }
  return sizes;
}

/** Reads objects one by one and passes each on whole. */
export async function readObjects(
  objects: readonly string[],
  workplace: GitWorkplace,
  take: (object: string, bytes: Buffer) => void,
): Promise<void> {
  if (objects.length === 0) return;
  const reader = createBatchReader(take);
  await runGit(['cat-file', '--batch'], workplace, {
    input: objects.map((object) => `${object}\n`).join(''),
    maxOutput: Number.POSITIVE_INFINITY,
    onOutput: reader,
  });
}

const LINE_FEED = 10;

/** Parses the output of `cat-file --batch`: a line with name, type and size, the bytes, a line feed. */
function createBatchReader(take: (object: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let length = 0;
  let expected: { object: string; size: number } | undefined;
  const gather = (): Buffer => {
    const all = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
    pending = [all];
    return all;
  };
  const drop = (all: Buffer, count: number): void => {
    pending = count === all.length ? [] : [all.subarray(count)];
    length -= count;
  };
  return (chunk) => {
    pending.push(chunk);
    length += chunk.length;
    while (length > 0) {
      if (expected === undefined) {
        const all = gather();
        const end = all.indexOf(LINE_FEED);
        if (end === -1) return;
        const [object = '', type, size] = all.toString('latin1', 0, end).split(' ');
        if (type !== 'blob') throw unsafeArchive(`object ${object} is missing or not a file`);
        expected = { object, size: Number(size) };
        drop(all, end + 1);
      }
      if (length < expected.size + 1) return;
      const all = gather();
      take(expected.object, all.subarray(0, expected.size));
      drop(all, expected.size + 1);
      expected = undefined;
    }
  };
}
