// SKL101: a skill has a name.

import { issuesAbout, nameFromDirectory, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a name that is missing or empty. */
export const nameRequired = defineRule({
  id: 'SKL101',
  name: 'name-required',
  severity: 'error',
  summary: 'The frontmatter has a `name`.',
  fixable: true,
  check(skill) {
    return reportIssues(skill, issuesAbout('name', { skill, kinds: ['missing', 'empty'] }), {
      // `Name: demo` is a name under a wrong key, so the key should be corrected.
      fixOf: () => (Object.keys(skill.data).some(isMisspelt) ? undefined : nameFromDirectory(skill)),
    });
  },
});

function isMisspelt(key: string): boolean {
  return key !== 'name' && key.toLowerCase() === 'name';
}
