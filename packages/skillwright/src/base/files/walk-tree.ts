// A bounded walk through a directory. Skips hidden entries and node_modules unless the caller wants them.

import { type Dirent, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { orUndefined } from '../diagnostics/index.ts';
import { sortByBytes } from './compare-paths.ts';
import { isInside, resolveInside } from './contained-path.ts';
import { readRealPath } from './paths.ts';
import { describeSystemError, systemErrorCode } from './system-error.ts';

/** One entry of the tree. A link to something inside the root counts as its target. */
type EntryKind =
  | 'file'
  | 'directory'
  /** A link to a directory inside the root: its content is listed where it really is, so it is not entered. */
  | 'linked-directory'
  /** A link that leads out of the root, or round in a circle. */
  | 'escape'
  /** A link to a place inside the root where nothing is. */
  | 'broken-link'
  /** A device, a pipe, a socket, or a link to what is passed over. */
  | 'special'
  /** A directory that cannot be listed. */
  | 'unreadable';

/** One entry; `path` is relative to the root, with `/`. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: EntryKind;
  /** Why, for `unreadable`. */
  readonly why?: string;
}

/** Bounds of a walk. */
interface WalkLimits {
  readonly maxEntries: number;
  readonly maxDepth: number;
}

/** How to walk. */
interface WalkOptions extends Partial<WalkLimits> {
  /** The entries of the root itself, when they are known already. */
  readonly listing?: readonly Dirent[] | undefined;
  /** Which names are passed over; `isIgnoredName` when left out. */
  readonly ignores?: (name: string) => boolean;
}

/** The limits of a walk: far more than any real skill has. */
export const skillLimits: WalkLimits = { maxEntries: 50_000, maxDepth: 32 };

/** Entries in bytewise order, and whether a bound cut them short. */
export interface Tree {
  readonly entries: readonly TreeEntry[];
  readonly truncated: boolean;
}

/** Everything below `root`. Total: never throws. */
export function walkTree(root: string, options: WalkOptions = {}): Tree {
  const limits = { ...skillLimits, ...options };
  const ignores = options.ignores ?? isIgnoredName;
  const entries: TreeEntry[] = [];
  let truncated = false;
  let realRoot: string | undefined;

  const classifyLink = (absolute: string): EntryKind => {
    try {
      const real = readRealPath(absolute);
      realRoot ??= readRealPath(root);
      if (!isInside(realRoot, real)) return 'escape';
      if (relative(realRoot, real).split(sep).some(ignores)) return 'special';
      const status = statSync(real);
      return status.isDirectory() ? 'linked-directory' : status.isFile() ? 'file' : 'special';
    } catch (error) {
      // A circle never ends anywhere, so nothing can be said to be inside.
      if (systemErrorCode(error) === 'ELOOP') return 'escape';
      return pointsOut(root, absolute) ? 'escape' : 'broken-link';
    }
  };

  const visit = (directory: string, prefix: string, depth: number): void => {
    let listing: Dirent[];
    try {
      const known = prefix === '' ? options.listing : undefined;
      listing = known === undefined ? readdirSync(directory, { withFileTypes: true }) : [...known];
    } catch (error) {
      const self: TreeEntry = {
        path: prefix.slice(0, -1),
        kind: 'unreadable',
        why: describeSystemError(error),
      };
      // The list has it as a directory already, except for the root.
      if (prefix === '') entries.push(self);
      else entries[entries.length - 1] = self;
      return;
    }
    // Sorted here too, so that a bound always cuts at the same place.
    sortByBytes(listing, ({ name }) => name);
    for (const entry of listing) {
      if (ignores(entry.name)) continue;
      if (entries.length >= limits.maxEntries) {
        truncated = true;
        return;
      }
      const path = prefix + entry.name;
      if (entry.isFile()) entries.push({ path, kind: 'file' });
      else if (entry.isDirectory()) {
        entries.push({ path, kind: 'directory' });
        if (depth < limits.maxDepth) visit(directory + sep + entry.name, `${path}/`, depth + 1);
        else truncated = true;
      } else if (entry.isSymbolicLink())
        entries.push({ path, kind: classifyLink(join(directory, entry.name)) });
      else entries.push({ path, kind: 'special' });
    }
  };

  visit(root, '', 1);
  // Below a directory, `a/b` was listed before `a-c`.
  if (entries.some(({ kind }) => kind === 'directory')) sortByBytes(entries, ({ path }) => path);
  return { entries, truncated };
}

/** Whether a link that leads nowhere is spelled so that it would lead out. */
function pointsOut(root: string, link: string): boolean {
  const target = orUndefined(() => readlinkSync(link));
  return target !== undefined && !isInside(root, resolve(dirname(link), target));
}

/** The paths of all files below `root`, relative to it, in bytewise order. Total: never throws. */
export function listFiles(root: string): string[] {
  return walkTree(root).entries.flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
}

// The files that belong to a skill. Hidden files and directories, such as `.env` and `.git`, and `node_modules` do not,
// and are never handed out.

/** True for names that are never part of a skill. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** True for the name of a file with evals, such as `trigger-evals.json`, `pdf-triggering.eval.json` or `routing.yaml`. */
export function isEvalName(name: string): boolean {
  return /^(?:.+[-_.])?(?:evals?|triggers?|triggering|routing|activation|eval[-_]?set)(?:[-_.].+)?\.(?:jsonl?|ndjson|ya?ml|csv)$/i.test(
    name,
  );
}

/** Names in a skill's own directory that can be nothing but evals: `triggers.json` may be content. */
const ownEvals =
  /^(?:eval[-_]queries|eval[-_]?set|(?:.+[-_.])?(?:triggers?[-_](?:evals?|quer(?:y|ies)|cases?|prompts?|dataset|tests?)|triggering\.evals?)|test[-_]triggers)\.(?:jsonl?|ndjson|ya?ml|csv)$/i;

/**
 * True for evals, which test a skill and are not content: an agent that searches must not find the questions. They
 * are part of the skill all the same, and are hashed and published.
 */
export function isEvalFile(path: string): boolean {
  return (
    /^evals\/|(?:^|\/)eval_queries\.json$|(?:^|\/)evals\/(?:evals|questions)\.json$/.test(path) ||
    (path.includes('/')
      ? /(?:^|\/)evals\/[^/]+$/.test(path) && isEvalName(path.slice(path.lastIndexOf('/') + 1))
      : ownEvals.test(path))
  );
}

/** True for a path relative to a skill, if nothing that it names is left out of skills. */
function isPartOfSkill(path: string): boolean {
  return path.split(/[\\/]/).every((name) => name === '.' || !isIgnoredName(name));
}

/**
 * The real path of something that is part of the skill in `root`; undefined when nothing is there, or when the path or the
 * place it leads to is not part of the skill. E012 when links lead out.
 */
export function resolvePart(root: string, path: string): string | undefined {
  const real = resolveInside(root, path);
  if (real === undefined || !isPartOfSkill(path)) return undefined;
  return isPartOfSkill(relative(readRealPath(root), real)) ? real : undefined;
}
