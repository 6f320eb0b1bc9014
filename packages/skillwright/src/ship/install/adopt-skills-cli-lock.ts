// Installing what a `skills-lock.json` names, where a project has no lock of ours yet.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type InstalledSkill, installSkills } from './install-skills.ts';
import { readSkillsCliLock, sourceOfEntry } from './lock/skills-cli-lock.ts';
import type { InstallContext, InstallPlace } from './place/install-place.ts';
import { type FailedSkill, failureOf } from './plan/failed-skill.ts';
import type { InstallRequest } from './plan/plan-skill.ts';

/** What came of it. */
export interface AdoptOutcome {
  readonly skills: readonly InstalledSkill[];
  readonly failed: readonly FailedSkill[];
}

/**
 * Installs every skill of the project's `skills-lock.json` whose source still gives what the hash says; undefined when
 * there is no such file. Each source stands alone. E211 when the file cannot be used, E100 outside a project.
 */
export async function adoptSkillsCliLock(
  place: InstallPlace,
  request: Omit<InstallRequest, 'source' | 'skills' | 'all' | 'expected'>,
  context: InstallContext,
): Promise<AdoptOutcome | undefined> {
  const entries = readSkillsCliLock(place.project ?? context.workspace.cwd);
  if (entries === undefined || request.scope === 'user') return undefined;
  if (place.project === undefined) {
    const help =
      "run 'skc init' to make this directory a project, or use --scope user for the lock of the user";
    throw SkillwrightError.of('E100', { why: 'skills-lock.json lies outside a project' }, { help });
  }
  const skills: InstalledSkill[] = [];
  const failed: FailedSkill[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    try {
      const outcome = await installSkills(
        {
          ...request,
          source: sourceOfEntry(entry),
          skills: [name],
          all: false,
          expected: new Map([[name, entry.computedHash]]),
        },
        { ...context, workspace: { ...context.workspace, cwd: place.base } },
      );
      skills.push(...outcome.skills);
    } catch (error) {
      failed.push(failureOf(name, error));
    }
  }
  return { skills, failed };
}
