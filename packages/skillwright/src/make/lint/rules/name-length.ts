// SKL103: a name is not too long.

import { issuesAbout, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a name over the limit of the standard. */
export const nameLength = defineRule({
  id: 'SKL103',
  name: 'name-length',
  severity: 'error',
  summary: 'The `name` has at most 64 characters.',
  check(skill) {
    return reportIssues(skill, issuesAbout('name', { skill, kinds: ['length'] }));
  },
});
