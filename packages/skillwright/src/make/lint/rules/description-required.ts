// SKL105: a skill has a description.

import { issuesAbout, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a description that is missing or not text. */
export const descriptionRequired = defineRule({
  id: 'SKL105',
  name: 'description-required',
  severity: 'error',
  summary: 'The frontmatter has a `description` that is text.',
  check(skill) {
    return reportIssues(skill, issuesAbout('description', { skill, kinds: ['missing', 'type'] }));
  },
});
