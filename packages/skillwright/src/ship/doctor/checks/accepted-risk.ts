// Dangerous findings that someone accepted.

import { isHeld } from '../../install/index.ts';
import { defineCheck } from '../check.ts';

/** Reports every acceptance in the locks, so that none is forgotten. */
export const acceptedRisk = defineCheck({
  id: 'accepted-risk',
  group: 'installed skills',
  summary: 'No installed skill has a dangerous finding that someone accepted.',
  *find({ skills }) {
    for (const { name, entry, sourcePath } of skills) {
      for (const acceptance of entry?.accepted ?? []) {
        const { rule, file, by, reason, at } = acceptance;
        const holds = isHeld(sourcePath, acceptance);
        yield {
          severity: holds ? 'info' : 'warning',
          subject: sourcePath,
          message: `'${name}': ${rule} in ${file} was accepted by ${by}`,
          why: `On ${at.slice(0, 10)}: ${reason}${holds ? '' : '. The file has changed since, so the acceptance no longer counts.'}`,
          fix: `'skc scan ${name}' shows the finding; 'skc uninstall ${name}' removes the skill`,
        };
      }
    }
  },
});
