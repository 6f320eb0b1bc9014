// A skill as the protocol spells it.

import type { SkillRecord } from '../../read/catalog/index.ts';

/** The fields of a skill on the wire; a project's scope is called `repo` there. */
export interface WireSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly dir: string;
  readonly scope: 'repo' | 'user' | 'bundled';
  readonly mtimeMs: number;
}

/** A record with the names of the protocol. */
export function wireSkill({ id, name, description, path, dir, scope, mtimeMs }: SkillRecord): WireSkill {
  return { id, name, description, path, dir, scope: scope === 'project' ? 'repo' : scope, mtimeMs };
}
