// Skills from a git repository: the newest commit of a ref, or one commit, without history and without a checkout.

import { mkdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { basename, join } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  makeVisible,
  SkillwrightError,
} from '../../../../base/diagnostics/index.ts';
import { discardTemporary, readRegularFile } from '../../../../base/files/index.ts';
import { fetcherSettings, refuseNever, resolveHost } from '../../../network/index.ts';
import type { FetchContext, FetchedSource, Resolution, SkillSource } from '../../source/fetched-source.ts';
import { type SourceAnswer, type StagingWorld, stageSkills } from '../fetch-source.ts';
import { enterTree, readTree, selectSkills, writeSelection } from './git-tree.ts';
import { type GitWorkplace, isOtherHash, isUnknownRef, runGit } from './run-git.ts';

type GitSource = Extract<SkillSource, { kind: 'git' }>;

/** Fetches the skills of a repository. With a commit in the resolution exactly that one: E201 when it is gone. */
export async function fetchGit(
  source: GitSource,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const workplace: GitWorkplace = {
    dir: join(staging.dir, 'repository'),
    url: source.url,
    context,
    settings: await guardHost(source.url, context),
  };
  context.progress(`${source.url}: connecting`);
  const { commit, isTag, ...found } = await fetchCommit(source, workplace, resolution.commit);
  const listing = await runGit(['ls-tree', '-r', '-z', '--full-tree', commit], workplace);
  const all = readTree(listing);
  const entries = enterTree(all.entries, found.source.subpath);
  if (entries === undefined)
    throw SkillwrightError.of('E201', { what: `${found.source.subpath} in ${source.url}` });
  const tree = join(staging.dir, 'tree');
  const diagnostics = [
    ...leftOut(all.submodules, found.source.subpath),
    ...(await writeSelection(tree, selectSkills(entries), { workplace, commit })),
  ];
  discardTemporary(workplace.dir);
  const { subpath } = found.source;
  const fetched = stageSkills(
    tree,
    {
      source: found.source,
      resolution: { commit, ...(isTag ? { tag: true } : {}) },
      verified: true,
      repository: homeOf(source.url),
      rootName: basename(subpath ?? source.url).replace(/\.git$/, ''),
      prefix: subpath,
      diagnostics,
    },
    { context, staging },
  );
  discardTemporary(tree);
  return fetched;
}

/** W223 for submodules: they are other repositories, which the user did not name. */
function leftOut(submodules: readonly string[], subpath: string | undefined): Diagnostic[] {
  const within = submodules.filter((path) => subpath === undefined || path.startsWith(`${subpath}/`));
  if (within.length === 0) return [];
  const detail = within.map((path) => `  ${makeVisible(path)}`).join('\n');
  const help = 'submodules are not fetched: install from their own repositories';
  const what = within.length === 1 ? 'a submodule' : `${within.length} submodules`;
  return [diagnose('W223', { what }, { help, detail, data: { submodules: within } })];
}

/**
 * E206 for a host that is never contacted, or that only an untrusted source names and the user has not allowed. Returns
 * git settings that pin the checked addresses.
 */
export async function guardHost(
  place: string,
  { config, plugin, isForeign = plugin !== undefined }: FetchContext,
): Promise<Record<string, string>> {
  const host = /^[^/:@]+@([^/:]+):/.exec(place)?.[1];
  const address = host === undefined ? place : `ssh://${host}/`;
  if (!/^(?:https?|ssh):\/\//.test(address)) return {};
  const url = new URL(address);
  const settings = fetcherSettings(config.network);
  const addresses = isForeign
    ? (await resolveHost(url, settings)).map(({ address }) => address)
    : await refuseNever(url, settings);
  if (
    !/^https?:$/.test(url.protocol) ||
    addresses.length === 0 ||
    isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
  )
    return {};
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return { 'http.curloptResolve': `${url.hostname}:${port}:${addresses.join(',')}` };
}

/** Fetches the commit of a source. A ref with slashes may have absorbed part of the path: `tree/feature/x/skills`. */
async function fetchCommit(
  source: GitSource,
  workplace: GitWorkplace,
  pinned: string | undefined,
): Promise<FetchedRef & { source: GitSource }> {
  if (pinned !== undefined) {
    try {
      return { ...(await fetchRef(pinned, workplace)), source };
    } catch (error) {
      throw nameRef(error, { ...source, ref: pinned });
    }
  }
  const parts = source.subpath?.split('/') ?? [];
  for (let taken = 0; ; taken++) {
    const ref = source.ref && [source.ref, ...parts.slice(0, taken)].join('/');
    const subpath = parts.slice(taken).join('/');
    try {
      const fetched = await fetchRef(ref ?? 'HEAD', workplace);
      const { url } = source;
      return {
        ...fetched,
        source: { kind: 'git', url, ...(ref ? { ref } : {}), ...(subpath ? { subpath } : {}) },
      };
    } catch (error) {
      if (!isUnknownRef(error) || ref === undefined || taken === parts.length) throw nameRef(error, source);
    }
  }
}

function nameRef(error: unknown, { url, ref }: GitSource): unknown {
  if (!isUnknownRef(error) || ref === undefined) return error;
  const help = /^[0-9a-f]{4,39}$/.test(ref) ? 'write the commit in full' : undefined;
  return SkillwrightError.of('E201', { what: `${ref} in ${url}` }, help === undefined ? {} : { help });
}

/** A resolved ref. */
interface FetchedRef {
  readonly commit: string;
  readonly isTag: boolean;
}

/** Fetches one ref or commit without its history and returns the commit. */
async function fetchRef(ref: string, workplace: GitWorkplace): Promise<FetchedRef> {
  try {
    return await fetchInto(ref, workplace, ref.length === 64 && isCommit(ref) ? 'sha256' : 'sha1');
  } catch (error) {
    if (!isOtherHash(error)) throw error;
    return fetchInto(ref, workplace, 'sha256');
  }
}

async function fetchInto(ref: string, workplace: GitWorkplace, hash: 'sha1' | 'sha256'): Promise<FetchedRef> {
  const { dir, url } = workplace;
  discardTemporary(dir);
  mkdirSync(dir);
  await runGit(['init', '--quiet', '--bare', '--template=', `--object-format=${hash}`, dir], workplace);
  await runGit(['config', 'remote.origin.url', url], workplace);
  const how = ['--depth=1', '--no-tags', '--recurse-submodules=no', '--filter=blob:none', '--progress'];
  await runGit(['fetch', ...how, '--', 'origin', ref], workplace);
  const output = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', 'FETCH_HEAD^{commit}'],
    workplace,
  );
  const commit = output.toString('latin1').trim();
  // A branch may have the name of a commit; a request for a commit gets that commit.
  if (isCommit(ref) && commit !== ref)
    throw SkillwrightError.of('E201', { what: `${ref} in ${url}` }, { data: { reason: 'unknown ref' } });
  return { commit, isTag: isTagHead(join(dir, 'FETCH_HEAD')) };
}

/** Whether git reports that the last fetched ref was a tag. */
function isTagHead(file: string): boolean {
  const text = readRegularFile(file, { maxBytes: 64 * 1024 })?.toString('utf8') ?? '';
  return /^[0-9a-f]+\t[^\t]*\ttag '/.test(text);
}

/** True for a full commit hash. */
export function isCommit(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

/** The web page of a repository, if its URL shows it. */
function homeOf(url: string): string | undefined {
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/(?:[^@/]+@)?|[^/:@]+@)([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?$/.exec(url) ?? [];
  return host === undefined || path === undefined ? undefined : `https://${host}/${path}`;
}

const MAX_OUTPUT = 4 * 1024 * 1024;

/** Asks for the relevant refs. Undefined when the ref is not among them. */
export async function askGit(
  { url, ref }: Extract<SkillSource, { kind: 'git' }>,
  { context, staging }: StagingWorld,
): Promise<SourceAnswer | undefined> {
  const settings = await guardHost(url, context);
  const names = ref === undefined || isCommit(ref) ? [] : waysTo(ref);
  const words = ['ls-remote', '--quiet', '--', url, 'HEAD', ...names.flatMap((name) => [name, `${name}^{}`])];
  const output = await runGit(words, { dir: staging.dir, url, context, settings }, { maxOutput: MAX_OUTPUT });
  const refs = new Map(
    output
      .toString('utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([commit]) => isCommit(commit ?? ''))
      .map(([commit, name]) => [name ?? '', commit!]),
  );
  const head = refs.get('HEAD');
  const latest = head === undefined ? undefined : { commit: head };
  if (ref === undefined) return latest && { wanted: latest, latest };
  if (isCommit(ref)) return { wanted: { commit: ref }, latest };
  const found = names.find((name) => refs.has(name));
  if (found === undefined) return undefined;
  const isTag = found.startsWith('refs/tags/');
  const commit = refs.get(`${found}^{}`) ?? refs.get(found)!;
  return { wanted: { commit, ...(isTag ? { tag: true } : {}) }, latest };
}

/** Full names a ref may have, in git's own order. */
function waysTo(ref: string): string[] {
  return [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`].filter((name) =>
    name.startsWith('refs/'),
  );
}
