// SKL106: a description says something.

import { issuesAbout, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports an empty description. */
export const descriptionNonempty = defineRule({
  id: 'SKL106',
  name: 'description-nonempty',
  severity: 'error',
  summary: 'The `description` is not empty.',
  check(skill) {
    return reportIssues(skill, issuesAbout('description', { skill, kinds: ['empty'] }));
  },
});
