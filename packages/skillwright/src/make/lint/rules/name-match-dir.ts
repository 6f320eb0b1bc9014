// SKL104: a skill has the name of its directory.

import { issuesAbout, nameFromDirectory, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a name that differs from that of the directory, unless it must change anyway. */
export const nameMatchDir = defineRule({
  id: 'SKL104',
  name: 'name-match-dir',
  severity: 'warning',
  summary: "The `name` is the name of the skill's directory.",
  fixable: true,
  check(skill) {
    const mismatch = issuesAbout('name', { skill, kinds: ['mismatch'] });
    const others = issuesAbout('name', { skill, kinds: ['format', 'length', 'value'] });
    if (mismatch.length === 0 || others.length > 0) return [];
    return reportIssues(skill, mismatch, { fixOf: () => nameFromDirectory(skill) });
  },
});
