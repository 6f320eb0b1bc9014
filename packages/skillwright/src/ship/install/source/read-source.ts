// Parses the user's input into a checked source. Nothing is fetched here, and nothing reaches a program unchecked.

import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import validRange from 'semver/ranges/valid.js';
import { hideSecrets, orUndefined, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { decodePercent, targetAt } from '../../../base/files/index.ts';
import { isSkillName } from '../../../skill/format/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import { registryAddress } from '../../network/index.ts';
import { parseAddress } from '../../protocol/index.ts';
import type { FetchContext, SkillSource } from './fetched-source.ts';
import {
  checkGitParts,
  checkSecrets,
  type Refusal,
  readGitSource,
  readRepositoryPage,
} from './read-git-source.ts';

/** Environment for reading a source. */
export type SourceContext = Pick<FetchContext, 'cwd' | 'home' | 'config'>;

const MAX_SOURCE_LENGTH = 4096;

const DOMAIN = /^(?:localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])(?::\d{1,5})?$/i;

const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/**
 * Parses a source, trying in this order: a path by its spelling (`./x`, `/x`, `~/x`), a prefix (`npm:`,
 * `registry:`, `registry+…`, `git+…`), a URL, `@owner/name` in a registry, `user@host:path`, an existing path in the
 * working directory, a domain, `owner/repo`, a plain name in a registry. E210 gives the reason when none matches, E239 for
 * a plain name that nobody owns.
 */
export function readSource(text: string, context: SourceContext): SkillSource {
  const word = text.trim();
  const refuse = (why: string, help?: string) =>
    SkillwrightError.of('E210', { source: hideSecrets(text), why }, help === undefined ? {} : { help });
  if (word === '') throw refuse('it is empty');
  if (word.length > MAX_SOURCE_LENGTH) throw refuse('it is too long');
  if (/\p{Cc}/u.test(word)) throw refuse('it contains control characters');
  if (word.startsWith('-')) throw refuse('it starts with a dash, like an option');

  if (isPathWord(word)) return readPath(word, { context, refuse });
  if (/^[a-z0-9+.-]+::/i.test(word)) throw refuse('a transport that runs a program is not allowed');
  const [, prefix, rest] = /^(npm|registry):(?!\/\/)(.*)$/.exec(word) ?? [];
  if (prefix === 'npm') return readPackage(rest!, refuse);
  if (prefix === 'registry') return readRegistryName(rest!, { context, refuse });
  if (word.startsWith('registry+'))
    return readRegistrySource(word.slice('registry+'.length), { context, refuse });
  if (word.startsWith('git+')) return readRepository(word.slice(4), { context, refuse });
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return readUrl(word, { context, refuse });
  if (word.startsWith('@')) return readOwned(word, { context, refuse });
  if (/^[^/:@]+@[^/:@]+:/.test(word)) return readGitSource(word, { context, refuse });

  if (existsSync(`${context.cwd}/${word}`)) return readPath(word, { context, refuse });
  const [first = ''] = word.split(/[/#]/, 1);
  const isPage = DOMAIN.test(first) && word.includes('/');
  // A repository may be called x.skill.
  if (ARCHIVE_ENDING.test(word) && !isPage && !/^[^/]+\/[^/]+\.skill$/i.test(word))
    throw refuse('no such file');
  if (DOMAIN.test(first)) {
    const scheme = first.startsWith('localhost') ? 'http' : 'https';
    return readUrl(`${scheme}://${word}`, { context, refuse });
  }
  if (word.includes('/')) return readGitSource(word, { context, refuse });
  return readRegistryName(word, { context, refuse });
}

/** State while reading a source. */
export interface Reading {
  readonly context: SourceContext;
  readonly refuse: Refusal;
}

function readRepository(word: string, world: Reading): SkillSource {
  if (isPathWord(word)) return readDiskRepository(word, world);
  const source = /^file:/i.test(word) ? readFileUrl(word, world) : readGitSource(word, world);
  if (source.kind !== 'git') throw world.refuse('there is no repository there');
  return source;
}

function readUrl(word: string, world: Reading): SkillSource {
  const { refuse } = world;
  const url = URL.canParse(word) ? new URL(word) : undefined;
  if (url === undefined || (url.hostname === '' && url.protocol !== 'file:')) throw refuse('it is not a URL');
  if (url.protocol === 'file:') return readFileUrl(word, world);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return readGitSource(word, world);
  if (/\.git\/?$/.test(url.pathname)) return readGitSource(word, world);
  checkSecrets(url, refuse);
  if (ARCHIVE_ENDING.test(url.pathname)) {
    url.hash = '';
    return { kind: 'archive', location: url.href };
  }
  const page = readRepositoryPage(url, world);
  if (page !== undefined) return page;
  url.hash = '';
  return { kind: 'well-known', url: url.href.replace(/\/$/, '') };
}

function readPackage(word: string, refuse: Refusal): SkillSource {
  const { name, range } = splitRange(word);
  if (name.length > 214 || !NPM_NAME.test(name)) throw refuse('it is not a package name');
  return withRange({ kind: 'npm', name }, range, refuse);
}

/** `@owner/name[@range]`. Which registry serves the owner is looked up later. */
function readOwned(word: string, { refuse }: Reading): SkillSource {
  const { name, range } = splitRange(word);
  const address = parseAddress(name);
  if (address === undefined)
    throw refuse(
      'it is not @owner/name of a skill, and npm packages need the prefix npm:',
      `did you mean npm:${word}?`,
    );
  return withRange({ kind: 'registry', ...address }, range, refuse);
}

/** `@owner/name`, or a plain name of the owner that the user's configuration names. */
function readRegistryName(word: string, { context, refuse }: Reading): SkillSource {
  if (word.startsWith('@')) return readOwned(word, { context, refuse });
  const { name, range } = splitRange(word);
  if (!isSkillName(name)) throw refuse('it is neither a path, a URL nor a skill name');
  const { owner } = context.config.registry;
  if (owner === undefined)
    throw SkillwrightError.of(
      'E239',
      { name },
      {
        help: `name its owner, as in @acme/${name}, or set one for plain names: 'skc config registry.owner acme --scope user'. Other sources: ./${name}, npm:${name}, owner/repo, a URL`,
        data: { name },
      },
    );
  return withRange({ kind: 'registry', owner, name }, range, refuse);
}

/** `<url>#@owner/name[@range]`. */
function readRegistrySource(word: string, world: Reading): SkillSource {
  const { refuse } = world;
  const [place = '', name = ''] = word.split(/#(.*)/s);
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw refuse('it is not a registry URL');
  checkSecrets(url, refuse);
  if (!name.startsWith('@')) throw refuse('it does not end with #@owner/name');
  return { ...readOwned(name, world), url: registryAddress(url.href) } as SkillSource;
}

function splitRange(word: string): { name: string; range: string | undefined } {
  const at = word.indexOf('@', 1);
  return at === -1
    ? { name: word, range: undefined }
    : { name: word.slice(0, at), range: word.slice(at + 1).trim() };
}

/** A range of versions, or a tag such as `latest`. */
function withRange(
  source: Extract<SkillSource, { kind: 'npm' | 'registry' }>,
  range: string | undefined,
  refuse: Refusal,
): SkillSource {
  if (range === undefined) return source;
  if (range === '' || (validRange(range) === null && !/^[a-z][a-z0-9._-]*$/i.test(range)))
    throw refuse(`'${range}' is not a version range`);
  return { ...source, range };
}

/** Extensions of archives. */
const ARCHIVE_ENDING = /\.(?:tar\.gz|tgz|tar|zip|skill)$/i;

/** Whether a word is spelled like a path. */
function isPathWord(word: string): boolean {
  return /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(word) || isAbsolute(word);
}

/** The path of a directory, an archive or a bare repository. */
function readPath(word: string, reading: Reading): SkillSource {
  return readPlace(diskPlace(word, reading), reading);
}

/** A `file:` URL: a repository, else a directory or an archive. `#ref:path` requires a repository. */
function readFileUrl(word: string, reading: Reading): SkillSource {
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
function readDiskRepository(word: string, reading: Reading): SkillSource {
  const [place = '', fragment] = word.split(/#(.*)/s);
  const path = diskPlace(decodePercent(place), reading);
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

function diskPlace(word: string, { context: { cwd, home } }: Reading): string {
  return /^~(?:[\\/]|$)/.test(word) ? resolve(home, word.slice(2)) : resolve(cwd, word);
}

function readPlace(path: string, { refuse }: Reading): SkillSource {
  const status = targetAt(path);
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
