// SKL106: a description says something.

import { issuesAbout, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a description without a word in it. */
export const descriptionNonempty = defineRule({
  id: 'SKL106',
  name: 'description-nonempty',
  severity: 'error',
  summary: 'The `description` is more than white space.',
  check(skill) {
    return reportIssues(skill, issuesAbout('description', { skill, kinds: ['empty'] }));
  },
});
