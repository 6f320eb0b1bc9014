// Compiled skills whose source is gone.

import { cleanRuntime } from '../../../make/compile/index.ts';
import { hasSkillFile } from '../../../skill/skill/index.ts';
import { defineCheck, FIX, type Repair } from '../check.ts';
import type { StoreSkill } from '../store-skill.ts';
import type { Survey } from '../survey.ts';

/** Reports stubs of skills that no longer exist. */
export const orphanedBuild = defineCheck({
  id: 'orphaned-build',
  group: 'compiled skills',
  summary: 'The sources of compiled skills exist.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, source, sourcePath, runtime, isStored } = skill;
      if (runtime.manifest === undefined || source !== undefined || entry !== undefined) continue;
      const command = `skc clean ${name}`;
      yield {
        severity: 'warning',
        subject: runtime.dir,
        message: `'${name}' was compiled from ${sourcePath}, which is gone`,
        why: 'Agents still see it, but get nothing when they read further.',
        // A source elsewhere may be on a disk that is not mounted.
        ...(isStored
          ? { fix: FIX, repair: clean(skill, survey) }
          : { fix: `restore the source, or run '${command}'` }),
      };
    }
  },
});

function clean({ name, runtime, sourcePath }: StoreSkill, { context }: Survey): Repair {
  return {
    key: `clean ${runtime.dir}`,
    run: () => {
      if (hasSkillFile(sourcePath)) return;
      cleanRuntime({ dir: runtime.dir, name, source: sourcePath, isOwner: true }, context.workspace);
    },
  };
}
