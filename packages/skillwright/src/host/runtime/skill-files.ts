// Lists the files of a skill within a limit. A directory that does not fit becomes one entry with the number of its
// files, so that every file is accounted for.

import { compareBytes, isEvalFile, type Tree, walkTree } from '../../base/files/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { SkillFileList } from '../answers/index.ts';

type SkillFileEntry = SkillFileList['entries'][number];

/** Limits of the list. */
interface FileListLimits {
  readonly maxEntries?: number;
  readonly maxBytes?: number;
  /** The files, when already known. */
  readonly tree?: Tree;
  /** Which files may be listed. */
  readonly allows?: (path: string) => boolean;
}

interface Branch {
  readonly path: string;
  readonly branches: Map<string, Branch>;
  readonly files: string[];
  total: number;
}

/** Lists the skill in `dir`. Total: never throws. */
export function fitSkillFiles(dir: string, limits: FileListLimits = {}): SkillFileList {
  const { maxEntries = 200, maxBytes = 32 * 1024, allows = () => true, tree = walkTree(dir) } = limits;
  const paths = tree.entries.flatMap(({ path, kind }) =>
    kind === 'file' && path !== SKILL_FILE && !isEvalFile(path) && allows(path) ? [path] : [],
  );
  const root = makeTree(paths);
  const level = entriesOf(root);
  const shown = level.slice(0, maxEntries);
  let bytes = shown.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
  while (bytes > maxBytes) bytes -= Buffer.byteLength(shown.pop()!.path);
  const entries = expand(root, shown, { maxEntries, maxBytes });
  const missing = root.total - entries.reduce((sum, { files }) => sum + files, 0);
  const collapsed = entries.some(({ path }) => path.endsWith('/'));
  return { entries, total: root.total, missing, truncated: collapsed || missing > 0 || tree.truncated };
}

function makeTree(paths: readonly string[]): Branch {
  const root: Branch = { path: '', branches: new Map(), files: [], total: 0 };
  for (const path of paths) {
    let branch = root;
    branch.total += 1;
    for (const name of path.split('/').slice(0, -1)) {
      const next: Branch = branch.branches.get(name) ?? {
        path: `${branch.path}${name}/`,
        branches: new Map(),
        files: [],
        total: 0,
      };
      branch.branches.set(name, next);
      next.total += 1;
      branch = next;
    }
    branch.files.push(path);
  }
  return root;
}

/** Direct entries of a branch, directories first: they are fewer and represent more files. */
function entriesOf(branch: Branch): SkillFileEntry[] {
  return [
    ...[...branch.branches.values()].map(({ path, total }) => ({ path, files: total })),
    ...branch.files.map((path) => ({ path, files: 1 })),
  ];
}

/** Expands directories while they fit: those nearest the root with the fewest entries first. */
function expand(
  root: Branch,
  shown: readonly SkillFileEntry[],
  limits: { maxEntries: number; maxBytes: number },
): SkillFileEntry[] {
  const entries = new Map(shown.map((entry) => [entry.path, entry]));
  let bytes = shown.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
  let level = [...root.branches.values()].filter(({ path }) => entries.has(path));
  while (level.length > 0) {
    const next: Branch[] = [];
    for (const branch of level.sort((a, b) => width(a) - width(b) || compareBytes(a.path, b.path))) {
      const inner = entriesOf(branch);
      const added = inner.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
      const after = bytes - Buffer.byteLength(branch.path) + added;
      if (entries.size - 1 + inner.length > limits.maxEntries || after > limits.maxBytes) continue;
      bytes = after;
      entries.delete(branch.path);
      for (const entry of inner) entries.set(entry.path, entry);
      next.push(...branch.branches.values());
    }
    level = next;
  }
  return [...entries.values()].sort((a, b) => compareBytes(a.path, b.path));
}

const width = (branch: Branch) => branch.branches.size + branch.files.length;
