// Lists the files of a skill as a tree: directories first, each level in bytewise order.

import { basename, relative, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  compareBytes,
  compileGlob,
  isDirectory,
  isEvalFile,
  resolveInside,
  resolvePart,
  walkTree,
} from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { plainPath } from './open-file.ts';

/** One listed entry. */
interface SourceEntry {
  path: string;
  type: 'file' | 'directory';
  /** Number of files below a directory. */
  files: number | null;
  /** False for a directory deeper than the requested depth. */
  expanded: boolean | null;
}

/** Listing options. */
export interface SourcesRequest {
  readonly dir: string | undefined;
  readonly depth: number | undefined;
  readonly limit: number;
  readonly pattern: string | undefined;
  /** Lists evals too. */
  readonly evals?: boolean | undefined;
  /** Files the caller may see; by default all. */
  readonly allows?: ((path: string) => boolean) | undefined;
}

/** The listing. */
export interface SourceListing {
  root: string;
  entries: SourceEntry[];
  /** Number of entries without the limit. */
  total: number;
  /** The first entry beyond the limit; null when there is none. */
  next: string | null;
  /** Number of files with evals, which are not listed. */
  evals?: number;
}

interface Branch {
  readonly directories: Map<string, Branch>;
  readonly files: string[];
  count: number;
}

/** Lists the skill in `root`. E012 when `dir` leads out, E022 when there is no such directory. */
export async function listSources(root: string, request: SourcesRequest): Promise<SourceListing> {
  const base = request.dir === undefined ? '' : directoryIn(root, request.dir);
  const prefix = base === '' ? '' : `${base}/`;
  const matches = request.pattern === undefined ? () => true : await compileGlob(request.pattern);
  const tree = emptyBranch();
  const { allows = () => true } = request;
  let evals = 0;
  for (const { path, kind } of walkTree(root).entries) {
    if (kind !== 'file' || !path.startsWith(prefix) || !matches(path) || !allows(path)) continue;
    if (isEvalFile(path) && request.evals !== true) evals += 1;
    else insert(tree, path.slice(prefix.length).split('/'));
  }
  const all: SourceEntry[] = [];
  collect(tree, { prefix, depth: request.depth ?? Number.POSITIVE_INFINITY, into: all });
  return {
    root: base === '' ? basename(root) : base,
    entries: all.slice(0, request.limit).filter(({ path }) => isInSkill(root, path)),
    total: all.length,
    next: all[request.limit]?.path ?? null,
    ...(evals === 0 ? {} : { evals }),
  };
}

function directoryIn(root: string, dir: string): string {
  const real = resolvePart(root, plainPath(dir));
  if (real === undefined || !isDirectory(real)) throw SkillwrightError.of('E022', { directory: dir });
  return relative(root, real).split(sep).join('/');
}

/** A directory may become a link to the outside while it is listed; its outside entries must not be named. */
function isInSkill(root: string, path: string): boolean {
  try {
    // Path resolution is not atomic either, and a swap can mislead it once: it must give the same result twice.
    return resolveInside(root, path) !== undefined && resolveInside(root, path) !== undefined;
  } catch (error) {
    if (error instanceof SkillwrightError) return false;
    throw error;
  }
}

const emptyBranch = (): Branch => ({ directories: new Map(), files: [], count: 0 });

function insert(tree: Branch, parts: readonly string[]): void {
  let branch = tree;
  branch.count += 1;
  for (const part of parts.slice(0, -1)) {
    const next = branch.directories.get(part) ?? emptyBranch();
    branch.directories.set(part, next);
    next.count += 1;
    branch = next;
  }
  branch.files.push(parts.at(-1)!);
}

function collect(branch: Branch, options: { prefix: string; depth: number; into: SourceEntry[] }): void {
  const { prefix, depth, into } = options;
  const names = [...branch.directories.keys()].sort(compareBytes);
  for (const name of names) {
    const child = branch.directories.get(name)!;
    const expanded = depth > 1;
    into.push({ path: prefix + name, type: 'directory', files: child.count, expanded });
    if (expanded) collect(child, { prefix: `${prefix}${name}/`, depth: depth - 1, into });
  }
  for (const name of branch.files)
    into.push({ path: prefix + name, type: 'file', files: null, expanded: null });
}

/** A listing, and how the budget changed it. */
interface BudgetedSources extends SourceListing {
  /** Present when the budget collapsed directories or cut the list. */
  readonly budgeted?: { readonly depth: number; readonly tokens: number };
}

const MAX_DEPTH = 16;

/** Reserved for the line on how to get the rest. */
const RESERVE = 60;

/** Lists the skill in `root` with as many levels as fit into `budget` tokens. */
export async function budgetSources(
  root: string,
  request: SourcesRequest,
  budget: number,
): Promise<BudgetedSources> {
  const whole = await listSources(root, request);
  const tokens = costOf(whole);
  if (tokens <= budget) return whole;
  const room = Math.max(1, budget - RESERVE);
  for (let depth = Math.min(request.depth ?? MAX_DEPTH, MAX_DEPTH) - 1; depth > 0; depth--) {
    const listing = await listSources(root, { ...request, depth });
    if (costOf(listing) <= room) return { ...listing, budgeted: { depth, tokens } };
  }
  const flat = await listSources(root, { ...request, depth: 1 });
  let left = room;
  const fitting = flat.entries.findIndex((entry) => {
    left -= estimateTokens(lineOf(entry.path));
    return left < 0;
  });
  const limit = Math.max(1, fitting === -1 ? flat.entries.length : fitting);
  return { ...(await listSources(root, { ...request, depth: 1, limit })), budgeted: { depth: 1, tokens } };
}

const costOf = ({ entries }: SourceListing) =>
  estimateTokens(entries.map(({ path }) => lineOf(path)).join(''));

/** Approximate text of an entry in the tree. */
const lineOf = (path: string) => `│   ├── ${path.slice(path.lastIndexOf('/') + 1)}\n`;
