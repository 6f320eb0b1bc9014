// SKL205: the outline skips no level.

import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';

/** Reports headings more than one level below the heading before them. */
export const headingHierarchy = defineRule({
  id: 'SKL205',
  name: 'heading-hierarchy',
  severity: 'warning',
  summary: 'A heading is at most one level below the heading before it.',
  *check({ markdown }) {
    let above: number | undefined;
    for (const { level, text, line, nested } of markdown.headings) {
      if (nested) continue;
      if (above !== undefined && level > above + 1) {
        yield {
          message: `the heading ${quoteText(text)} is an H${level} right below an H${above}`,
          line,
          help: `make it an H${above + 1}, or put the missing heading between the two`,
        };
      }
      above = level;
    }
  },
});
