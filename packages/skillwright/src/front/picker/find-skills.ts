// Finds the skills the picker lists for a query, and labels those that share a name.

import { basename, sep } from 'node:path';
import { foldText } from '../../base/markdown/index.ts';
import { recordsNamed } from '../../read/access/index.ts';
import {
  matchSkills,
  type SkillCatalog,
  type SkillRecord,
  type SkillScope,
} from '../../read/catalog/index.ts';
import { type FuzzyName, matchFuzzy, prepareName } from './fuzzy-match.ts';

/**
 * Search as you type: names that equal, start with or contain the query, then names with its letters in order, then
 * other matches.
 */
export function createSkillFinder(
  catalog: SkillCatalog,
  sealed: ReadonlySet<string>,
): (query: string, scope: SkillScope | undefined) => readonly SkillRecord[] {
  const names = new Map<SkillRecord, FuzzyName>();
  const nameOf = (skill: SkillRecord) => {
    const known = names.get(skill) ?? prepareName(skill.name);
    names.set(skill, known);
    return known;
  };
  return (query, scope) => {
    const found = matchSkills(catalog, query, { scope, sealed });
    const words = foldText(query).split(' ').filter(Boolean);
    if (words.length === 0) return found;
    const isNamed = (skill: SkillRecord) => words.every((word) => nameOf(skill).folded.includes(word));
    const named = found.filter(isNamed);
    const fuzzy = catalog.skills
      .flatMap((skill) => {
        if ((scope !== undefined && skill.scope !== scope) || isNamed(skill)) return [];
        const match = matchFuzzy(nameOf(skill), query);
        return match === undefined ? [] : [{ skill, score: match.score }];
      })
      .sort((a, b) => b.score - a.score)
      .map(({ skill }) => skill);
    return [...new Set([...named, ...fuzzy, ...found])];
  };
}

/** Whether `$name` in a message matches only this skill. */
export function isMentionable(skill: SkillRecord, catalog: SkillCatalog): boolean {
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{N}_.:-]*[\p{L}\p{N}])?$/u.test(skill.name)) return false;
  const meant = recordsNamed(catalog, skill.name);
  return meant.length === 1 && meant[0]!.path === skill.path;
}

/** For each skill that shares its name: the first part of its path that differs from the others. */
export function createLabels(
  catalog: SkillCatalog,
  showPath: (path: string) => string,
): (skill: SkillRecord) => string | undefined {
  const labels = new Map<string, string>();
  for (const twins of Map.groupBy(catalog.skills, ({ name }) => foldText(name)).values()) {
    if (twins.length < 2) continue;
    const parts = twins.map(({ dir }) => showPath(dir).split(sep));
    twins.forEach(({ path, dir }, at) => {
      const own = parts[at]!;
      const first = own.findIndex((part, index) => parts.some((other) => other[index] !== part));
      labels.set(path, own[first === -1 ? 0 : first] ?? basename(dir));
    });
  }
  return ({ path }) => labels.get(path);
}
