// Finds the skills below one directory of a source.

import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  diagnosticOf,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  describeSystemError,
  isIgnoredName,
  readError,
  resolveInside,
} from '../../../base/files/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';

/** Limit of directories searched in one source. */
const MAX_DIRECTORIES = 20_000;

/** True when the directory has an entry spelled exactly SKILL.md, of any kind: reading it reports problems. */
export function isSkillDirectory(dir: string): boolean {
  try {
    // A file system that ignores case finds other spellings too.
    return lstatSync(join(dir, SKILL_FILE)) !== undefined && readdirSync(dir).includes(SKILL_FILE);
  } catch {
    return false;
  }
}

/**
 * Paths of the skills below `path` of a canonical root, in bytewise order; a skill is not searched further. Total: W007
 * when the limit of directories is reached.
 */
export function findInContainer(
  root: string,
  path: string,
  options: { depth: number; diagnostics: Diagnostic[] },
): string[] {
  const found: string[] = [];
  let directories = 0;
  const visit = (directory: string, depth: number): void => {
    if (directories++ === MAX_DIRECTORIES) options.diagnostics.push(tooMany(path));
    if (directories > MAX_DIRECTORIES) return;
    for (const entry of list(root, directory, options.diagnostics)) {
      const below = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isIgnoredName(entry.name) || !isDirectory(root, below, { entry, diagnostics: options.diagnostics }))
        continue;
      if (isSkillDirectory(join(root, below))) found.push(below);
      else if (depth > 1 && !entry.isSymbolicLink()) visit(below, depth - 1);
    }
  };
  visit(path, options.depth);
  return found;
}

function tooMany(path: string): Diagnostic {
  const why = `more than ${MAX_DIRECTORIES} directories`;
  return diagnose('W007', { root: path === '' ? '.' : path, why }, { help: 'name one of its directories' });
}

function list(root: string, path: string, diagnostics: Diagnostic[]): Dirent[] {
  try {
    const listing = readdirSync(join(root, path), { withFileTypes: true });
    return listing.sort((a, b) => compareBytes(a.name, b.name));
  } catch (error) {
    diagnostics.push(diagnose('E015', { path: path || root, why: describeSystemError(error) }));
    return [];
  }
}

/** Whether an entry is a directory, or a link to one inside the source; a link to the outside is reported. */
function isDirectory(
  root: string,
  path: string,
  { entry, diagnostics }: { entry: Dirent; diagnostics: Diagnostic[] },
): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    const real = resolveInside(root, path);
    // A target in /proc has a path but may not exist.
    return real !== undefined && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    const told = readError(path, error);
    if (!(told instanceof SkillwrightError)) throw error;
    // A link to a file could not have been a skill.
    const isFile = told.code === 'E012' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile();
    if (isFile !== true) diagnostics.push(diagnosticOf(told));
    return false;
  }
}
