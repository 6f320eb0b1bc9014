// SKL108: a description says when to use the skill.

import { defineRule } from '../rule.ts';

const PHRASE =
  /(?<![a-z0-9])(?:(?:use\s+(?:when|for)|when\s+to\s+use|triggers\s+on|activate\s+when)(?![a-z0-9])|triggers\s*:)/i;

/** Reports a description that names no occasion. */
export const descriptionTriggers = defineRule({
  id: 'SKL108',
  name: 'description-triggers',
  severity: 'warning',
  summary: 'The `description` or `when_to_use` says when to use the skill, in one of the usual phrases.',
  *check(skill) {
    const { description, when_to_use: occasion } = skill.data;
    if (typeof description !== 'string' || description.trim() === '') return;
    if (PHRASE.test(description) || (typeof occasion === 'string' && PHRASE.test(occasion))) return;
    yield {
      message: 'description does not say when to use the skill',
      help: "add a sentence with 'Use when …', 'Use for …' or 'Triggers on …'",
      line: skill.lineOf('description'),
    };
  },
});
