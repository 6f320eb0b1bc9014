// SKL116: a new skill says what it does in its own words.

import { isTemplateDescription } from '../../author/index.ts';
import { defineRule } from '../rule.ts';

/** Reports the description that `skc init` wrote: agents choose a skill by it. */
export const templateText = defineRule({
  id: 'SKL116',
  name: 'template-text',
  severity: 'warning',
  summary: 'The `description` is not the one of the template.',
  check(skill) {
    const { description } = skill.frontmatter;
    if (typeof description !== 'string' || !isTemplateDescription(description)) return [];
    const help = 'say in one sentence what the skill does and when to use it; agents choose it by that';
    return [{ message: "description is still the template's", help, line: skill.lineOf('description') }];
  },
});
