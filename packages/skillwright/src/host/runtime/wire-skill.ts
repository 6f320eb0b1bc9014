// Converts a skill to its wire form.

import type { SkillRecord } from '../../read/catalog/index.ts';

/** Fields of a skill on the wire, where the project scope is called `repo`. */
export interface WireSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly dir: string;
  readonly scope: 'repo' | 'user' | 'bundled';
  readonly mtimeMs: number;
}

/** Converts a record to wire names. */
export function wireSkill({ id, name, description, path, dir, scope, mtimeMs }: SkillRecord): WireSkill {
  return { id, name, description, path, dir, scope: scope === 'project' ? 'repo' : scope, mtimeMs };
}
