// SKL114: skills that are judged together can be told apart.

import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

/** Reports a name that another skill of the run has, and a description that says what another's says. */
export const distinctSkills = defineRule({
  id: 'SKL114',
  name: 'distinct-skills',
  severity: 'warning',
  summary: 'No two of the skills that are linted together have the same name or nearly the same description.',
  *check(skill) {
    const { name = skill.directoryName, description = '' } = skill.data;
    if (typeof name !== 'string' || typeof description !== 'string') return;
    const likeness = skill.compare?.({ name, description });
    if (likeness === undefined) return;
    const { kind, other } = likeness;
    const where = quoteText(other.path);
    yield kind === 'name'
      ? {
          message: `the skill in ${where} has the name ${quoteText(name)} too`,
          line: skill.lineOf('name'),
          help: 'rename one of the two, or remove the copy: agents that have both ask which one is meant, or take one of them',
        }
      : {
          message: `the description says nearly the same as that of ${quoteText(other.name)} in ${where}`,
          line: skill.lineOf('description'),
          help: 'say in both when to use this one and when the other',
        };
  },
});
