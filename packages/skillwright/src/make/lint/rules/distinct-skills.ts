// SKL114: skills can be told apart, those linted together and those an agent already sees.

import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';
import { wordsAmong } from '../skill-neighbours.ts';

const MAX_WORDS = 6;

/** Reports a name that another skill in the run has, and a description like that of another. */
export const distinctSkills = defineRule({
  id: 'SKL114',
  name: 'distinct-skills',
  severity: 'warning',
  summary: 'No other skill in sight has the same name or a description that says the same.',
  *check(skill) {
    if (skill.company?.likeness === undefined) return;
    const { kind, other, shared } = skill.company.likeness;
    const where = quoteText(other.path);
    if (kind === 'name') {
      const { name = skill.directoryName } = skill.data;
      yield {
        message: `the skill in ${where} is also called ${quoteText(String(name))}`,
        line: skill.lineOf('name'),
        help: 'rename one of the two, or remove the copy: agents that have both ask which one you mean, or pick one',
      };
      return;
    }
    const { description } = skill.data;
    const words = typeof description === 'string' ? wordsAmong(description, shared) : [];
    const named = words.slice(0, MAX_WORDS).map(quoteText).join(', ');
    const more = words.length > MAX_WORDS ? ` and ${words.length - MAX_WORDS} more` : '';
    yield {
      message: `the description is like that of ${quoteText(other.name)} in ${where}: both say ${named}${more}`,
      line: skill.lineOf('description'),
      help: 'say when to use this one and when to use the other',
    };
  },
});
