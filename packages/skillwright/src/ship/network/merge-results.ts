// The same thing found twice is shown once.

import { compareBytes } from '../../base/files/index.ts';
import type { TrawlResult } from './trawl-result.ts';

/** Merges results of the same origin, best first. What was merged is named in `also`. */
export function mergeResults(results: readonly TrawlResult[]): TrawlResult[] {
  const ordered = [...results].sort(compareResults);
  const kept: TrawlResult[] = [];
  const owner = new Map<string, number>();
  // What stands for one skill goes first, so that a whole repository can join the skill that is made in it.
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

/** Best first; equals stay in an order that does not depend on who answered first. */
function compareResults(a: TrawlResult, b: TrawlResult): number {
  return b.score - a.score || compareBytes(a.name, b.name) || compareBytes(a.source, b.source);
}

function join(a: TrawlResult, b: TrawlResult): TrawlResult {
  const also = [...new Set([...a.also, b.source, ...b.also])].filter((source) => source !== a.source);
  return { ...a, score: Math.max(a.score, b.score), also };
}

/** False for a repository or a package that may hold any number of skills. */
function isOneSkill({ from, skill }: TrawlResult): boolean {
  return from === 'registry' || from === 'well-known' || skill !== undefined;
}

/** What makes two results the same. */
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
