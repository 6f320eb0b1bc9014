// A skill on the wire, where the project scope is called `repo`.

import type { SkillRecord } from '../../read/catalog/index.ts';
import type { SkillMetadata } from '../answers/index.ts';

/** Converts a record to wire names. */
export function wireSkill({ id, name, description, path, dir, scope, mtimeMs }: SkillRecord): SkillMetadata {
  return { id, name, description, path, dir, scope: scope === 'project' ? 'repo' : scope, mtimeMs };
}
