// The targets that the configuration names. A project's file is a stranger's: it may name agents, and directories of
// the project, never a place outside.

import { resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, realPathAhead } from '../../base/files/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/** The words of `build.targets`. E110 when a project's file names a place outside the project. */
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
      const why = `build.targets: '${word}' lies outside the project`;
      const help = 'a project may name agents and its own directories; your own configuration may name any';
      throw SkillwrightError.of('E110', { where: place, why }, { help });
    });
}
