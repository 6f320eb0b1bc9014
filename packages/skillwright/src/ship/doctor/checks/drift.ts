// Files of installed skills that differ from the lock.

import type { FileDrift } from '../../install/index.ts';
import { defineCheck } from '../check.ts';
import { isDrifted } from '../store-skill.ts';

const SHOWN = 3;

/** Whether only the lock has changed, not the files. */
const isBehind = ({ modified, extra, behind }: FileDrift) =>
  behind.length > 0 && modified.length + extra.length === 0;

/** Reports drift. It may be someone's work, so `--fix` never reverts it. */
export const drift = defineCheck({
  id: 'drift',
  group: 'installed skills',
  summary: 'Installed files match the lock, apart from edits that an update kept.',
  *find({ skills }) {
    for (const skill of skills) {
      const { name, drift: found, sourcePath } = skill;
      if (found === undefined || !isDrifted(skill)) continue;
      const kinds = (['modified', 'missing', 'extra', 'behind'] as const).filter(
        (kind) => found[kind].length > 0,
      );
      const counts = kinds.map((kind) => `${found[kind].length} ${kind}`).join(', ');
      const files = kinds.flatMap((kind) => found[kind]);
      const more = files.length > SHOWN ? `, and ${files.length - SHOWN} more` : '';
      yield {
        severity: 'warning',
        subject: sourcePath,
        message: `'${name}' differs from the lock: ${counts}`,
        why: `${files.slice(0, SHOWN).join(', ')}${more}. ${isBehind(found) ? 'The lock has changed since it was installed here.' : 'It may be your own edit, or a foreign one.'}`,
        fix: isBehind(found)
          ? "'skc install' restores the version in the lock"
          : `'skc verify ${name}' names every file; 'skc update ${name}' keeps edits; 'skc install --force' discards them`,
      };
    }
  },
});
