// Problems that make a skill unusable for the catalog, a build or an installation.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { canNameDirectory, type Frontmatter } from '../format/index.ts';
import { writtenName } from './name-skill.ts';

/** The first reason why a skill cannot be used; undefined when there is none. */
export function findSkillProblem(
  { data, problems }: Pick<Frontmatter, 'data' | 'problems'>,
  { name, path }: { readonly name: string; readonly path: string },
): SkillwrightError | undefined {
  const [first] = problems;
  if (data === undefined && first?.kind === 'missing')
    return SkillwrightError.of('E011', { field: 'name' }, { help: first.message });
  if (data === undefined) {
    const why = `${first?.message ?? 'unknown'}, line ${first?.line ?? 1}`;
    return SkillwrightError.of('E014', { path, why });
  }
  if (writtenName(data) === undefined) return SkillwrightError.of('E011', { field: 'name' });
  const { description } = data;
  if (typeof description !== 'string' || description.trim() === '')
    return SkillwrightError.of('E011', { field: 'description' });
  if (canNameDirectory(name)) return undefined;
  const why = `neither its name nor its directory can name a skill: '${name}'`;
  return SkillwrightError.of('E014', { path, why });
}
