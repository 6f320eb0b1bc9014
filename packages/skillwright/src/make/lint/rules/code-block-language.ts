// SKL206: code blocks name their language.

import { defineRule } from '../rule.ts';

/** Reports fenced code blocks without a language. Off unless switched on: many blocks are plain output. */
export const codeBlockLanguage = defineRule({
  id: 'SKL206',
  name: 'code-block-language',
  severity: 'off',
  summary: 'Every fenced code block in SKILL.md names its language.',
  *check({ markdown }) {
    for (const { language, line } of markdown.codeBlocks) {
      if (language !== '') continue;
      yield {
        message: 'the code block has no language',
        line,
        help: "name it after the opening fence, as in '```bash', or write '```text'",
      };
    }
  },
});
