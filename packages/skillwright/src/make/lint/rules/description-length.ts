// SKL107: a description is not too long.

import { issuesAbout, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a description over the limit of the standard. */
export const descriptionLength = defineRule({
  id: 'SKL107',
  name: 'description-length',
  severity: 'warning',
  summary: 'The `description` has at most 1024 characters.',
  check(skill) {
    return reportIssues(skill, issuesAbout('description', { skill, kinds: ['length'] }));
  },
});
