// SKL104: a skill is called like its directory.

import { nameFromDirectory } from '../name-from-directory.ts';
import { issuesAbout, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a name that differs from the directory's, unless the name has to change anyway. */
export const nameMatchDir = defineRule({
  id: 'SKL104',
  name: 'name-match-dir',
  severity: 'warning',
  summary: 'The `name` is the name of the directory the skill lies in.',
  fixable: true,
  check(skill) {
    const mismatch = issuesAbout('name', { skill, kinds: ['mismatch'] });
    const others = issuesAbout('name', { skill, kinds: ['format', 'length', 'value'] });
    if (mismatch.length === 0 || others.length > 0) return [];
    return reportIssues(skill, mismatch, { fixOf: () => nameFromDirectory(skill) });
  },
});
