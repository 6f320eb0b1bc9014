// Parts of a project's `.skillc` that do not belong in git: everything skc can make again from the lock and the sources.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orUndefined } from '../../base/diagnostics/index.ts';
import { readRegularFile, realPath, statusAt, writeFileAtomic } from '../../base/files/index.ts';
import { ownRootOf, repositoryMarks, type Store } from './project.ts';

const HEADING = '# Made by skc, and made again by skc install. Add lines of your own as you like.';

/** In written order. */
const ignoreLines = [
  '/.install/',
  '/backups/',
  '/cache/',
  '/conflicts/',
  '/logs/',
  '/runtime/',
  '/skills/.*.bak-*/',
];

/** Line with which a project commits its installed skills. */
const COMMIT_SKILLS = '!/skills/';

/** Creates a directory in a runtime directory. Those of a project stay out of git, even if a repository comes later. */
export function makeRuntimeDirectory(directory: string, home: string | undefined): void {
  if (mkdirSync(directory, { recursive: true }) === undefined) return;
  const root = ownRootOf(directory);
  const isUsers = home !== undefined && realPath(dirname(root)) === realPath(home);
  // If it cannot be written, the files show up in `git status`.
  if (!isUsers && root !== dirname(directory)) orUndefined(() => addIgnoreLines({ root }));
}

/** Writes a `.gitignore` into a directory that nobody commits. */
export function keepOutOfGit(directory: string): void {
  orUndefined(() => writeFileSync(join(directory, '.gitignore'), '*\n', { flag: 'wx' }));
}

const fileOf = ({ root }: Pick<Store, 'root'>) => join(root, '.gitignore');

/**
 * Adds missing lines to `.skillc/.gitignore` of a project inside a repository. Keeps existing lines, and does not add
 * a line that was negated with `!`. Returns whether the file changed.
 */
export function writeIgnoreLines(store: Store): boolean {
  return store.scope !== 'user' && isInRepository(store.base) && addIgnoreLines(store);
}

function addIgnoreLines(store: Pick<Store, 'root'>): boolean {
  const text = readLines(store);
  if (text === undefined) return false;
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const missing = ignoreLines.filter((line) => !present.has(line) && !present.has(`!${line}`));
  if (missing.length === 0) return false;
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const heading = present.has(HEADING) ? [] : [HEADING];
  writeFileAtomic(fileOf(store), `${before}${[...heading, ...missing].join('\n')}\n`);
  return true;
}

/** Whether git should ignore the skills installed in a store: in a repository, unless the file says otherwise. */
export function ignoresInstalled(store: Store): boolean {
  if (store.scope === 'user' || !isInRepository(store.base)) return false;
  const lines = readLines(store)?.split('\n') ?? [];
  return !lines.some((line) => line.trim() === COMMIT_SKILLS);
}

/** Text of the file, empty when missing; undefined when the path is not a regular file. */
function readLines(store: Pick<Store, 'root'>): string | undefined {
  const status = statusAt(fileOf(store));
  if (status === undefined) return '';
  if (!status.isFile()) return undefined;
  return orUndefined(() => readRegularFile(fileOf(store), { maxBytes: 1024 * 1024 })?.toString('utf8'));
}

function isInRepository(base: string): boolean {
  for (let dir = base; ; dir = dirname(dir)) {
    if (repositoryMarks.some((mark) => existsSync(join(dir, mark)))) return true;
    if (dirname(dir) === dir) return false;
  }
}
