// SKL108: a description says when to use the skill.

import { namesOccasion } from '../names-occasion.ts';
import { defineRule } from '../rule.ts';

/** Reports a description that does not say when to use the skill. */
export const descriptionTriggers = defineRule({
  id: 'SKL108',
  name: 'description-triggers',
  severity: 'warning',
  summary: 'The `description` or `when_to_use` says when to use the skill, in one of the usual phrases.',
  *check(skill) {
    const { description, when_to_use: occasion } = skill.data;
    if (typeof description !== 'string' || description.trim() === '') return;
    if (typeof occasion === 'string' && occasion.trim() !== '') return;
    if (namesOccasion(description)) return;
    yield {
      message: 'description does not say when to use the skill',
      help: "add a sentence with 'Use when …', 'Use for …' or 'Triggers on …'",
      line: skill.lineOf('description'),
    };
  },
});
