// Chooses the references that a stub lists, if there are too many.

import { dirname, posix } from 'node:path';
import { isGenericFile } from './generic-title.ts';

/** At most `limit` of the paths, in the given order: those SKILL.md mentions first, generic ones last, spread over directories. */
export function chooseReferences(paths: readonly string[], limit: number, skillText: string): string[] {
  if (paths.length <= limit) return [...paths];
  const ranks = [
    (path: string) => !isGenericFile(path) && isNamedIn(skillText, path),
    (path: string) => !isGenericFile(path),
    () => true,
  ];
  const chosen = new Set<string>();
  for (const isOfRank of ranks) {
    const rest = paths.filter((path) => !chosen.has(path) && isOfRank(path));
    for (const path of inTurns(Map.groupBy(rest, dirname).values())) {
      if (chosen.size === limit) break;
      chosen.add(path);
    }
  }
  return paths.filter((path) => chosen.has(path));
}

function isNamedIn(text: string, path: string): boolean {
  return text.includes(path) || text.includes(posix.basename(path));
}

/** The first of each group, then the second of each, and so on. */
function* inTurns(groups: Iterable<readonly string[]>): Generator<string> {
  const all = [...groups];
  for (let turn = 0; all.some((group) => turn < group.length); turn++)
    for (const group of all) if (turn < group.length) yield group[turn]!;
}
