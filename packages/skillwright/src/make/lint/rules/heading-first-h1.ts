// SKL204: the title comes before every other heading.

import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

/** Reports a first heading that is not an H1. */
export const headingFirstH1 = defineRule({
  id: 'SKL204',
  name: 'heading-first-h1',
  severity: 'warning',
  summary: 'The first heading of SKILL.md is an H1.',
  *check({ markdown }) {
    const first = markdown.headings.find(({ nested }) => !nested);
    if (first === undefined || first.level === 1) return;
    // Without any H1 there is one problem, and heading-h1 reports it.
    if (!markdown.headings.some(({ level }) => level === 1)) return;
    yield {
      message: `the first heading, ${quoteText(first.text)}, is an H${first.level}`,
      line: first.line,
      help: 'put the H1 title before every other heading',
    };
  },
});
