// Targets a project names, in its configuration or its lock. They are third-party: agents, and directories inside the project
// that the user has confirmed once.

import { resolve } from 'node:path';
import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, isPathLike, realPathAhead } from '../../base/files/index.ts';
import { isAgentTarget } from '../../skill/agents/index.ts';
import { writeConfigValue } from '../../skill/config/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/** Asks the user a question; absent where nobody can answer. */
type Ask = { confirm(question: string): Promise<boolean> } | undefined;

/** The entries of `build.targets`. E110 if a project's file names a place outside the project; E222 if it is not confirmed. */
export async function configuredTargets(workspace: Workspace, ask: Ask): Promise<readonly string[]> {
  const { targets } = (await workspace.config()).build;
  if (!targets.some((word) => isPathLike(word))) return targets;
  const { layer, place = '' } = (await workspace.configuration()).originOf('build.targets');
  if (layer !== 'project' || workspace.project === undefined) return targets;
  const { dir: project } = workspace.project;
  const words = targets
    .flatMap((list) => list.split(','))
    .map((part) => {
      const word = part.trim();
      if (!isPathLike(word)) return word;
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
  const dirs = words.filter((word) => isPathLike(word));
  await confirmTargets(dirs, { project, workspace, ask });
  return words;
}

/**
 * Lets a project name directories of agents, and others that the user has confirmed. Asks once for each. E016 for one that no
 * project may name; E222 when it is not confirmed.
 */
export async function confirmTargets(
  dirs: readonly string[],
  { project, workspace, ask }: { readonly project: string; readonly workspace: Workspace; readonly ask: Ask },
): Promise<void> {
  const others = dirs.filter((dir) => !isAgentTarget(project, dir));
  if (others.length === 0) return;
  const configured = (await workspace.config()).build.trusted_targets;
  const trusted = [...new Set([...configured, ...(confirmedNow.get(workspace.user.config) ?? [])])];
  const open = others.filter((dir) => !trusted.includes(dir));
  if (open.length === 0) return;
  const list = open.join(', ');
  if (
    (await ask?.confirm(`This project writes skills into ${list}, which no agent uses. Allow it?`)) !== true
  ) {
    const value = [...trusted, ...open].join(',');
    const help = `if you want that: skc config build.trusted_targets ${quoteWord(value)} --scope user`;
    throw SkillwrightError.of('E222', { path: list }, { help });
  }
  const all = [...trusted, ...open];
  writeConfigValue(workspace.user.config, 'build.trusted_targets', all);
  confirmedNow.set(workspace.user.config, all);
}

/** The list as this process wrote it, by file: the configuration of a run was read before the user agreed. */
const confirmedNow = new Map<string, readonly string[]>();
