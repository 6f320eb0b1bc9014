// Asks a repository for the commit of a ref and for its newest commit, without fetching them.

import type { SkillSource } from '../../source/fetched-source.ts';
import type { SourceAnswer } from '../ask-source.ts';
import type { StagingWorld } from '../staging.ts';
import { guardHost, isCommit } from './fetch-git.ts';
import { runGit } from './run-git.ts';

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
