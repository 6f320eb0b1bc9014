// SKL102: a name has the form every agent accepts.

import { issuesAbout, nameFromDirectory, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports a name that is not text or has invalid characters. */
export const nameFormat = defineRule({
  id: 'SKL102',
  name: 'name-format',
  severity: 'error',
  summary: 'The `name` consists of lower-case ASCII letters and digits, joined by single hyphens.',
  fixable: true,
  check(skill) {
    const issues = issuesAbout('name', { skill, kinds: ['type', 'format', 'value'] });
    return reportIssues(skill, issues, {
      fixOf: ({ kind }) => (kind === 'value' ? undefined : nameFromDirectory(skill)),
    });
  },
});
