// Skills inside a skill that its stub must not mention: an agent reads the stub even if the rules change later.

import { join } from 'node:path';
import { nestedManifests, standingOf, tryOpen } from '../../skill/judge/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/** Returns the directories inside a skill, with `/` at the end, that its stub leaves out. */
export type HideNested = (dir: string, files: readonly string[]) => readonly string[];

/** Leaves out skills that a model may not read now, or that are locked behind a quiz. */
export async function hideNested(workspace: Workspace): Promise<HideNested> {
  const law = { rules: await workspace.rules(), off: workspace.off };
  const isKept = (dir: string): boolean => {
    const skill = tryOpen(dir);
    if (skill === undefined) return false;
    return skill.gated || standingOf(skill, { operation: 'read', by: 'model' }, law).verdict !== 'allow';
  };
  return (dir, files) =>
    nestedManifests(files)
      .map((path) => path.slice(0, -SKILL_FILE.length))
      .filter((prefix) => isKept(join(dir, prefix)));
}
