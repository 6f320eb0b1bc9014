// SKL114: skills linted together can be told apart.

import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

/** Reports a name that another skill in the run has, and a description like that of another. */
export const distinctSkills = defineRule({
  id: 'SKL114',
  name: 'distinct-skills',
  severity: 'warning',
  summary: 'No two skills linted together have the same name or nearly the same description.',
  *check(skill) {
    const { name = skill.directoryName, description = '' } = skill.data;
    if (typeof name !== 'string' || typeof description !== 'string') return;
    const likeness = skill.compare?.({ name, description });
    if (likeness === undefined) return;
    const { kind, other } = likeness;
    const where = quoteText(other.path);
    yield kind === 'name'
      ? {
          message: `the skill in ${where} is also called ${quoteText(name)}`,
          line: skill.lineOf('name'),
          help: 'rename one of the two, or remove the copy: agents that have both ask which one you mean, or pick one',
        }
      : {
          message: `the description is nearly the same as that of ${quoteText(other.name)} in ${where}`,
          line: skill.lineOf('description'),
          help: 'say in each when to use it and when to use the other',
        };
  },
});
