// Dangerous findings that somebody accepted.

import { isHeld } from '../../install/index.ts';
import { defineCheck } from '../check.ts';

/** Tells every acceptance of the locks: nobody should forget them. */
export const acceptedRisk = defineCheck({
  id: 'accepted-risk',
  group: 'installed skills',
  summary: 'Nothing dangerous is installed because somebody accepted it.',
  *find({ skills }) {
    for (const { name, entry, sourcePath } of skills) {
      for (const acceptance of entry?.accepted ?? []) {
        const { rule, file, by, reason, at } = acceptance;
        const holds = isHeld(sourcePath, acceptance);
        yield {
          severity: holds ? 'info' : 'warning',
          subject: sourcePath,
          message: `'${name}': ${rule} in ${file} was accepted by ${by}`,
          why: `On ${at.slice(0, 10)}: ${reason}${holds ? '' : '. The file has changed since, so this no longer counts.'}`,
          fix: `'skc scan ${name}' shows the finding; 'skc uninstall ${name}' removes the skill`,
        };
      }
    }
  },
});
