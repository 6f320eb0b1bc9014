// The tree of a commit, and the files in it that belong to skills.

import { posix } from 'node:path';
import { isIgnoredName } from '../../../../base/files/index.ts';
import { SKILL_FILE } from '../../../../skill/skill/index.ts';

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
