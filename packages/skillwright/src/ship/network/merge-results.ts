// Merges results that are the same skill.

import { compareBytes } from '../../base/files/index.ts';
import type { TrawlResult } from './trawl-result.ts';

/** Merges results of the same origin, best first. `also` names the merged ones. */
export function mergeResults(results: readonly TrawlResult[]): TrawlResult[] {
  const ordered = [...results].sort(compareResults);
  const kept: TrawlResult[] = [];
  const owner = new Map<string, number>();
  // Single skills first, so that a repository can be merged into the skill it contains.
  for (const result of [...ordered.filter(isOneSkill), ...ordered.filter((each) => !isOneSkill(each))]) {
    const keys = keysOf(result);
    const at = keys.map((key) => owner.get(key)).find((index) => index !== undefined);
    const index = at ?? kept.push(result) - 1;
    if (at !== undefined) kept[at] = join(kept[at]!, result);
    const repository = repositoryKey(result);
    for (const key of [...keys, ...(repository === undefined ? [] : [repository])])
      if (!owner.has(key)) owner.set(key, index);
  }
  return kept.sort(compareResults);
}

/** Best first; ties are ordered independently of response times. */
function compareResults(a: TrawlResult, b: TrawlResult): number {
  return b.score - a.score || compareBytes(a.name, b.name) || compareBytes(a.source, b.source);
}

function join(a: TrawlResult, b: TrawlResult): TrawlResult {
  const also = [...new Set([...a.also, b.source, ...b.also])].filter((source) => source !== a.source);
  return { ...a, score: Math.max(a.score, b.score), also };
}

/** False for a repository or package, which may hold several skills. */
function isOneSkill({ from, skill }: TrawlResult): boolean {
  return from === 'registry' || from === 'well-known' || skill !== undefined;
}

/** Keys that identify a result. Results with a common key are the same. */
function keysOf(result: TrawlResult): string[] {
  const repository = repositoryKey(result);
  const name = result.skill ?? result.name;
  return [
    `source ${result.from} ${result.source} ${result.skill ?? ''}`,
    ...(result.digest === undefined ? [] : [result.digest]),
    ...(repository === undefined ? [] : [isOneSkill(result) ? `${repository} ${name}` : repository]),
  ];
}

function repositoryKey({ repository }: TrawlResult): string | undefined {
  const plain = repository?.replace(/^git\+/, '').replace(/^git@([^:/]+):/, 'https://$1/');
  if (plain === undefined || !URL.canParse(plain)) return undefined;
  const { hostname, pathname } = new URL(plain);
  const [owner, name] = pathname.split('/').filter(Boolean);
  if (owner === undefined || name === undefined) return undefined;
  return `repository ${hostname}/${owner}/${name.replace(/\.git$/, '')}`.toLowerCase();
}
