// SKL202: the body has a title.

import { defineRule } from '../rule.ts';

/** Reports a body without an H1. */
export const headingH1 = defineRule({
  id: 'SKL202',
  name: 'heading-h1',
  severity: 'warning',
  summary: 'The body of SKILL.md has an H1 heading.',
  *check({ markdown, frontmatter }) {
    if (markdown.headings.some(({ level, nested }) => level === 1 && !nested)) return;
    yield {
      message: 'the body has no H1 heading',
      line: frontmatter.bodyLine,
      help: "start the body with a title, as in '# My Skill'",
    };
  },
});
