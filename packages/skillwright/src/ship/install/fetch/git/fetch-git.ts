// Skills of a git repository: the newest commit of a ref, or one commit, without history and without a checkout.

import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillwrightError } from '../../../../base/diagnostics/index.ts';
import { discardTemporary } from '../../../../base/files/index.ts';
import { fetcherSettings, refuseNever } from '../../../network/index.ts';
import type { FetchedSource, Resolution, SkillSource } from '../../source/fetched-source.ts';
import { type StagingWorld, stageSkills } from '../staging.ts';
import { isOtherHash, isUnknownRef } from './git-failure.ts';
import { enterTree, readTree, selectSkills } from './git-tree.ts';
import { type GitWorkplace, runGit } from './run-git.ts';
import { writeSelection } from './write-selection.ts';

type GitSource = Extract<SkillSource, { kind: 'git' }>;

/** Fetches the skills of a repository. With a commit in the resolution exactly that one: E201 when it is gone. */
export async function fetchGit(
  source: GitSource,
  { context, staging }: StagingWorld,
  resolution: Resolution = {},
): Promise<FetchedSource> {
  const workplace: GitWorkplace = { dir: join(staging.dir, 'repository'), url: source.url, context };
  if (/^https?:/.test(source.url))
    await refuseNever(new URL(source.url), fetcherSettings(context.config.network));
  context.progress(`${source.url}: connecting`);
  const { commit, ...found } = await fetchCommit(source, workplace, resolution.commit);
  const listing = await runGit(['ls-tree', '-r', '-z', '--full-tree', commit], workplace);
  const entries = enterTree(readTree(listing), found.source.subpath);
  if (entries === undefined)
    throw SkillwrightError.of('E201', { what: `${found.source.subpath} in ${source.url}` });
  const tree = join(staging.dir, 'tree');
  const diagnostics = await writeSelection(tree, selectSkills(entries), { workplace, commit });
  discardTemporary(workplace.dir);
  const { subpath } = found.source;
  const fetched = stageSkills(
    tree,
    {
      source: found.source,
      resolution: { commit },
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

/** The commit that a source means, fetched. A ref with slashes may have taken up part of the path: `tree/feature/x/skills`. */
async function fetchCommit(
  source: GitSource,
  workplace: GitWorkplace,
  pinned: string | undefined,
): Promise<{ commit: string; source: GitSource }> {
  if (pinned !== undefined) {
    try {
      return { commit: await fetchRef(pinned, workplace), source };
    } catch (error) {
      throw nameRef(error, { ...source, ref: pinned });
    }
  }
  const parts = source.subpath?.split('/') ?? [];
  for (let taken = 0; ; taken++) {
    const ref = source.ref && [source.ref, ...parts.slice(0, taken)].join('/');
    const subpath = parts.slice(taken).join('/');
    try {
      const commit = await fetchRef(ref ?? 'HEAD', workplace);
      const { url } = source;
      return {
        commit,
        source: { kind: 'git', url, ...(ref ? { ref } : {}), ...(subpath ? { subpath } : {}) },
      };
    } catch (error) {
      if (!isUnknownRef(error) || ref === undefined || taken === parts.length) throw nameRef(error, source);
    }
  }
}

function nameRef(error: unknown, { url, ref }: GitSource): unknown {
  if (!isUnknownRef(error) || ref === undefined) return error;
  const help = /^[0-9a-f]{4,39}$/.test(ref) ? 'a commit is named by all of its digits' : undefined;
  return SkillwrightError.of('E201', { what: `${ref} in ${url}` }, help === undefined ? {} : { help });
}

/** Fetches one ref or commit without its history and gives the commit. */
async function fetchRef(ref: string, workplace: GitWorkplace): Promise<string> {
  try {
    return await fetchInto(ref, workplace, ref.length === 64 && isCommit(ref) ? 'sha256' : 'sha1');
  } catch (error) {
    if (!isOtherHash(error)) throw error;
    return fetchInto(ref, workplace, 'sha256');
  }
}

async function fetchInto(ref: string, workplace: GitWorkplace, hash: 'sha1' | 'sha256'): Promise<string> {
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
  // A branch may be called like a commit; who names a commit gets that one.
  if (isCommit(ref) && commit !== ref)
    throw SkillwrightError.of('E201', { what: `${ref} in ${url}` }, { data: { reason: 'unknown ref' } });
  return commit;
}

function isCommit(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

/** The page of a repository, where its URL tells. */
function homeOf(url: string): string | undefined {
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/(?:[^@/]+@)?|[^/:@]+@)([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?$/.exec(url) ?? [];
  return host === undefined || path === undefined ? undefined : `https://${host}/${path}`;
}
