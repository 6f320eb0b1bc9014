// SCN931: files that do not belong in a skill.

import type { ScanRule } from '../scan-rule.ts';

/** Reports links that lead out, programs without source, and files whose names are misleading. */
export const oddFile: ScanRule = {
  id: 'SCN931',
  name: 'odd-file',
  category: 'files',
  severity: 'low',
  summary:
    'A link leads out of the skill, the skill contains a compiled program, or a file is not what its name says.',
  reason: 'Links expose files of the machine, and no one can review a file they cannot read.',
  help: 'Remove the file, or find out what it is and who made it.',
  *check(subject) {
    for (const { path, kind, what } of subject.odd) {
      const grave =
        kind === 'disguised' ||
        (kind === 'escape' && /(?:\.ssh|\.aws|\/etc\/(?:passwd|shadow)|\.env|credentials)/.test(what));
      yield {
        message: what,
        file: path,
        severity: grave ? 'high' : kind === 'special' ? 'low' : 'medium',
        confidence: grave || kind === 'locked' || kind === 'nul' ? 'high' : 'medium',
      };
    }
  },
};
