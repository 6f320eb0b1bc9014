// SKL112: triggers can be matched.

import { checkTriggers } from '../../../skill/format/index.ts';
import { reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports triggers of the wrong type and patterns that cannot run. */
export const triggersValid = defineRule({
  id: 'SKL112',
  name: 'triggers-valid',
  severity: 'error',
  summary:
    '`triggers` holds keywords, verbs and patterns, and every pattern is a linear-time regular expression.',
  check(skill) {
    return Object.hasOwn(skill.data, 'triggers')
      ? reportIssues(skill, checkTriggers(skill.data.triggers))
      : [];
  },
});
