// The skills among which requests are searched: all that an agent sees, and the tested ones.

import type { Access } from '../../read/access/index.ts';
import { loadCatalog, type SkillCatalog, type SkillRecord } from '../../read/catalog/index.ts';

/** Skills that compete for a request, and which of them an agent may choose. */
export interface Rivals {
  readonly catalog: SkillCatalog;
  readonly accept: (skill: SkillRecord) => boolean;
}

/** Loads the skills visible from the workspace, and those below some directories. A tested skill outside every root competes, too. */
export async function loadRivals(dirs: readonly string[], access: Access): Promise<Rivals> {
  const catalog = await loadCatalog(access.workspace, {
    roots: dirs.map((path) => ({ path, scope: 'project' as const })),
    cache: false,
  });
  const { visible } = await access.view(catalog);
  return { catalog, accept: acceptVisible(visible) };
}

/** Accepts skills that an agent can choose. */
export function acceptVisible({ skills }: SkillCatalog): (skill: SkillRecord) => boolean {
  const seen = new Set(skills);
  return (skill) => seen.has(skill) && skill.enabled && skill.available;
}
