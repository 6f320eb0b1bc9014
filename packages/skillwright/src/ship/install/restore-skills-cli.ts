// Installing what a `skills-lock.json` names, where a project has no lock of ours yet.

import { type Diagnostic, diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { InstallContext, InstallPlace } from './install-place.ts';
import type { InstallRequest } from './install-plan.ts';
import { type InstalledSkill, installSkills } from './install-skills.ts';
import { readSkillsCliLock, sourceOfEntry } from './lock-of-skills-cli.ts';

/** What came of it. */
export interface AdoptOutcome {
  readonly skills: readonly InstalledSkill[];
  readonly failed: readonly { readonly name: string; readonly error: Diagnostic }[];
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
  const entries = readSkillsCliLock(place.project ?? context.cwd);
  if (entries === undefined || request.scope === 'user') return undefined;
  if (place.project === undefined) {
    const help =
      "run 'skc init' to make this directory a project, or use --scope user for the lock of the user";
    throw SkillwrightError.of('E100', { why: 'skills-lock.json lies outside a project' }, { help });
  }
  const skills: InstalledSkill[] = [];
  const failed: { name: string; error: Diagnostic }[] = [];
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
        { ...context, cwd: place.base },
      );
      skills.push(...outcome.skills);
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      failed.push({ name, error: diagnosticOf(error) });
    }
  }
  return { skills, failed };
}
