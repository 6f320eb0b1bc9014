// Skills in the lock that are missing from the store.

import { hideSecrets } from '../../../base/diagnostics/index.ts';
import { statusAt } from '../../../base/files/index.ts';
import { defineCheck, FIX } from '../check.ts';
import { restore } from '../repairs.ts';

/** Reports installed skills whose directory is gone. */
export const missingSkill = defineCheck({
  id: 'missing-skill',
  group: 'installed skills',
  summary: 'Every skill in the lock is in the store.',
  *find(survey) {
    for (const skill of survey.skills) {
      const { name, entry, sourcePath } = skill;
      if (entry === undefined || statusAt(sourcePath) !== undefined) continue;
      yield {
        severity: 'error',
        subject: sourcePath,
        message: `'${name}' is in the lock, but its directory is gone`,
        why: `It was installed from ${hideSecrets(entry.source)}.`,
        fix: FIX,
        repair: restore(skill, survey),
      };
    }
  },
});
