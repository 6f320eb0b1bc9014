// Targets from the configuration. A project's file is third-party: it may name agents, and directories inside the
// project, but no place outside.

import { resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, realPathAhead } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/** The entries of `build.targets`. E110 if a project's file names a place outside the project. */
export async function configuredTargets(workspace: Workspace): Promise<readonly string[]> {
  const { targets } = (await workspace.config()).build;
  if (!targets.some((word) => word.includes('/'))) return targets;
  const { layer, place = '' } = (await workspace.configuration()).originOf('build.targets');
  if (layer !== 'project' || workspace.project === undefined) return targets;
  const { dir: project } = workspace.project;
  return targets
    .flatMap((list) => list.split(','))
    .map((part) => {
      const word = part.trim();
      if (!word.includes('/')) return word;
      const dir = resolve(project, word);
      const isOutside =
        word.startsWith('~') ||
        !isInside(project, dir) ||
        !isInside(realPathAhead(project), realPathAhead(dir));
      if (!isOutside) return dir;
      const why = `build.targets: '${word}' is outside the project`;
      const help =
        'a project may name agents and its own directories; your own configuration may name any directory';
      throw SkillwrightError.of('E110', { where: place, why }, { help });
    });
}
