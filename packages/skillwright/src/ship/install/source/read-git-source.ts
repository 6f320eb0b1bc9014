// Parses the ways to name a git repository, a ref in it and a directory of it.

import { type SkillwrightError, secretIn } from '../../../base/diagnostics/index.ts';
import { decodePercent } from '../../../base/files/index.ts';
import type { SkillSource } from './fetched-source.ts';
import type { SourceContext } from './read-source.ts';

type GitSource = Extract<SkillSource, { kind: 'git' }>;

interface Reading {
  readonly context: Pick<SourceContext, 'config'>;
  readonly refuse: Refusal;
}

/** Hosts whose pages are repositories, even without `.git` at the end. */
const gitHosts: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * A repository as `owner/repo[/path][@ref]`, as a URL or as `user@host:path`, the last two optionally followed by
 * `#ref`, `#ref:path` or `#:path`.
 */
export function readGitSource(word: string, reading: Reading): GitSource {
  const [place = '', fragment] = splitOnce(word, '#');
  const [ref, subpath] = fragment === undefined ? [undefined, undefined] : splitOnce(fragment, ':');
  if (place.startsWith('-')) throw reading.refuse('it starts with a dash, like an option');
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(place) || /^[^/:@]+@[^/:@]+:/.test(place);
  const source = isUrl
    ? { kind: 'git' as const, url: readGitUrl(place, reading.refuse) }
    : readShort(place, reading);
  return checkGitParts(
    { ...source, ...(ref ? { ref } : {}), ...(subpath ? { subpath } : {}) } satisfies GitSource,
    reading.refuse,
  );
}

/** The repository, ref and directory that a page of a well-known host shows; undefined for any other page. */
export function readRepositoryPage(url: URL, reading: Reading): GitSource | undefined {
  if (!gitHosts.has(url.hostname.replace(/^www\./, ''))) return undefined;
  const segments = url.pathname.split('/').filter(Boolean).map(decodePercent);
  const marker = segments.findIndex((segment, index) => index >= 2 && /^(?:-|tree|blob|src)$/.test(segment));
  const repository = (marker === -1 ? segments : segments.slice(0, marker)).join('/');
  if (!repository.includes('/')) return undefined;
  const [, ...shown] = marker === -1 ? [] : segments.slice(segments[marker] === '-' ? marker + 1 : marker);
  const [ref, ...path] = shown[0] === 'branch' && url.hostname === 'codeberg.org' ? shown.slice(1) : shown;
  const host = `https://${url.host.replace(/^www\./, '')}`;
  const source: GitSource = { kind: 'git', url: `${host}/${withoutEnding(repository)}.git` };
  const [fragmentRef, fragmentPath] = splitOnce(decodePercent(url.hash.slice(1)), ':');
  return checkGitParts(
    {
      ...source,
      ...(ref || fragmentRef ? { ref: ref || fragmentRef } : {}),
      ...(path.length > 0 || fragmentPath
        ? { subpath: path.length > 0 ? path.join('/') : fragmentPath }
        : {}),
    },
    reading.refuse,
  );
}

/** `owner/repo[/path][@ref]` on the configured host. */
function readShort(place: string, { context, refuse }: Reading): GitSource {
  const [path = '', ref] = splitOnce(place, '@');
  const [owner = '', repo = '', ...subpath] = path.replace(/\/+$/, '').split('/');
  if (
    !/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/i.test(owner) ||
    !/^[a-z0-9_.-]+$/i.test(repo) ||
    /^\.+$/.test(repo)
  )
    throw refuse('it is neither a directory nor owner/repo');
  if (ref === '') throw refuse('there is nothing after the @');
  const base = context.config.network.git_url.replace(/\/+$/, '');
  return {
    kind: 'git',
    url: readGitUrl(`${base}/${owner}/${withoutEnding(repo)}.git`, refuse),
    ...(ref === undefined ? {} : { ref }),
    ...(subpath.length === 0 ? {} : { subpath: subpath.join('/') }),
  };
}

function readGitUrl(place: string, refuse: Refusal): string {
  const short = /^([^/:@]+)@([^/:@]+):(?!\/\/)(.+)$/.exec(place);
  if (short !== null) {
    if (!/^\w[\w.-]*$/.test(short[1]!) || !/^\w[\w.-]*$/.test(short[2]!) || /^-|[\s\\]/.test(short[3]!))
      throw refuse('it is not user@host:path');
    return place;
  }
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url === undefined) throw refuse('it is not a URL');
  checkSecrets(url, refuse);
  if (/[\s\\]/.test(place) || url.search !== '') throw refuse('it is not a repository URL');
  if (!/^(?:https?|ssh):$/.test(url.protocol))
    throw refuse(`git over ${url.protocol.slice(0, -1)} is not allowed`, 'use https:// or ssh://');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw refuse('git over http is not encrypted', 'use https:// or ssh://');
  if (
    url.hostname.startsWith('-') ||
    url.username.startsWith('-') ||
    decodePercent(url.hostname).startsWith('-')
  )
    throw refuse('it starts with a dash, like an option');
  if (url.pathname.replace(/\/+$/, '') === '') throw refuse('it names a host, but no repository');
  return url.href.replace(/\/+$/, '');
}

/** The source, its ref and directory checked. E210 when one is invalid. */
export function checkGitParts(source: GitSource, refuse: Refusal): GitSource {
  const { ref } = source;
  if (ref !== undefined && !isRef(ref)) throw refuse(`'${ref}' is not a branch, tag or commit`);
  const { subpath: given, ...rest } = source;
  const subpath = given?.replace(/\/+$/, '').replace(/(?:^|\/)SKILL\.md$/, '');
  if (subpath === undefined || subpath === '') return rest;
  const isPlain = subpath.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isPlain || /[\p{Cc}\\]/u.test(subpath)) throw refuse(`'${subpath}' is not a path inside a repository`);
  return { ...rest, subpath };
}

/** Refs that git allows, except those it could read as an option or an expression. */
function isRef(ref: string): boolean {
  return (
    ref.length <= 255 &&
    !/^[-/.]|[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[/.]$/u.test(ref) &&
    ref !== '@'
  );
}

function withoutEnding(repository: string): string {
  return repository.replace(/\.git$/, '');
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Makes the error for a source. */
export type Refusal = (why: string, help?: string) => SkillwrightError;

/** Refuses a source that would carry a secret into the lock, which is shared. */
export function checkSecrets(url: URL, refuse: Refusal): void {
  const secret = secretIn(url);
  if (secret !== undefined)
    throw refuse(
      `${secret} would be written to the lock`,
      'download it and install the file, or publish it at an address without a secret',
    );
}
