// Sources on this machine: directories, archives and local git repositories.

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { orUndefined } from '../../../base/diagnostics/index.ts';
import { decodePercent } from '../../../base/files/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { SkillSource } from './fetched-source.ts';
import { checkGitParts } from './read-git-source.ts';
import type { Reading } from './read-source.ts';

/** Extensions of archives. */
export const ARCHIVE_ENDING = /\.(?:tar\.gz|tgz|tar|zip|skill)$/i;

/** Whether a word is spelled like a path. */
export function isPathWord(word: string): boolean {
  return /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(word) || isAbsolute(word);
}

/** The path of a directory, an archive or a bare repository. */
export function readPath(word: string, reading: Reading): SkillSource {
  return readPlace(placeOf(word, reading), reading);
}

/** A `file:` URL: a repository, else a directory or an archive. `#ref:path` requires a repository. */
export function readFileUrl(word: string, reading: Reading): SkillSource {
  const [address = '', fragment] = word.split(/#(.*)/s);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const path = url === undefined || url.search !== '' ? undefined : orUndefined(() => fileURLToPath(url));
  if (path === undefined || (url!.hostname !== '' && url!.hostname !== 'localhost'))
    throw reading.refuse('it is not a path on this machine');
  if (isRepository(path)) return repositoryAt(path, fragment, reading);
  if (fragment !== undefined) throw reading.refuse('there is no repository there');
  return readPlace(path, reading);
}

/** A path after `git+`: a repository, bare or with a working tree. */
export function readDiskRepository(word: string, reading: Reading): SkillSource {
  const [place = '', fragment] = word.split(/#(.*)/s);
  const path = placeOf(decodePercent(place), reading);
  if (!isRepository(path)) throw reading.refuse('there is no repository there');
  return repositoryAt(path, fragment, reading);
}

/** Spells a local repository for `readDiskRepository`, given its path in the lock. */
export function spellDiskRepository(path: string, { ref = '', subpath }: Parts): string {
  const part = subpath === undefined ? ref : `${ref}:${subpath}`;
  return `git+${path.replace(/[%#]/g, encodeURIComponent)}${part === '' ? '' : `#${part}`}`;
}

interface Parts {
  readonly ref?: string | undefined;
  readonly subpath?: string | undefined;
}

function placeOf(word: string, { context: { cwd, home } }: Reading): string {
  return /^~(?:[\\/]|$)/.test(word) ? resolve(home, word.slice(2)) : resolve(cwd, word);
}

function readPlace(path: string, { refuse }: Reading): SkillSource {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw refuse('no such file or directory');
  if (status.isDirectory()) return isBare(path) ? { kind: 'git', url: urlOf(path) } : { kind: 'path', path };
  if (basename(path) === SKILL_FILE) return { kind: 'path', path: dirname(path) };
  if (status.isFile() && ARCHIVE_ENDING.test(path)) return { kind: 'archive', location: path };
  throw refuse('it is neither a directory nor an archive');
}

function repositoryAt(path: string, fragment: string | undefined, { refuse }: Reading): SkillSource {
  const [ref, subpath] = fragment === undefined ? [] : fragment.split(/:(.*)/s);
  const parts = { ...(ref ? { ref } : {}), ...(subpath ? { subpath } : {}) };
  return checkGitParts({ kind: 'git', url: urlOf(path), ...parts }, refuse);
}

const urlOf = (path: string) => pathToFileURL(path).href.replace(/\/+$/, '');

const isRepository = (path: string) => existsSync(join(path, '.git')) || isBare(path);

/** Whether a directory is a bare repository: git's own directory, and not a skill. */
function isBare(path: string): boolean {
  const has = (name: string) => existsSync(join(path, name));
  return has('HEAD') && has('objects') && has('refs') && !has(SKILL_FILE);
}
