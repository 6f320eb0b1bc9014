// SCN931: files that do not belong into a skill.

import { defineScanRule } from '../scan-rule.ts';

/** Reports links that lead out, programs without source, and files that are not what their names say. */
export const oddFile = defineScanRule({
  id: 'SCN931',
  name: 'odd-file',
  category: 'files',
  severity: 'low',
  summary:
    'A link leads out of the skill, a compiled program comes with it, or a file is not what its name says.',
  reason: 'Links give away files of the machine, and what cannot be read cannot be reviewed.',
  help: 'Remove the file, or find out what it is and who made it.',
  probes: [],
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
});
