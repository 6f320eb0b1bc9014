// Files of installed skills that are not what was installed.

import type { FileDrift } from '../../install/index.ts';
import { defineCheck } from '../check.ts';
import { isDrifted } from '../store-skill.ts';

const SHOWN = 3;

/** Whether only the lock has changed, and nobody edited anything. */
const isBehind = ({ modified, extra, behind }: FileDrift) =>
  behind.length > 0 && modified.length + extra.length === 0;

/** Reports drift. It may be somebody's work, so it is never taken back here. */
export const drift = defineCheck({
  id: 'drift',
  group: 'installed skills',
  summary: 'Installed files are as they were installed, or as an update has kept them.',
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
        why: `${files.slice(0, SHOWN).join(', ')}${more}. ${isBehind(found) ? 'The lock has changed since it was installed here.' : "It may be your own edit, or somebody else's."}`,
        fix: isBehind(found)
          ? "'skc install' brings it to the lock"
          : `'skc verify ${name}' names every file; 'skc update ${name}' keeps edits; 'skc install --force' takes them back`,
      };
    }
  },
});
