// SKL201: SKILL.md is short enough to be read whole.

import { estimateTokens } from '../../../base/tokens/index.ts';
import { defineRule, readLimit } from '../rule.ts';

const MAX_LINES = 500;
const MAX_TOKENS = 5000;

/** Reports a SKILL.md that fills the context. */
export const skillSize = defineRule({
  id: 'SKL201',
  name: 'skill-size',
  severity: 'warning',
  summary: 'SKILL.md has at most 500 lines and about 5,000 tokens.',
  *check({ text, frontmatter, markdown }, options) {
    const maxLines = readLimit(options, 'max_lines', MAX_LINES);
    const maxTokens = readLimit(options, 'max_tokens', MAX_TOKENS);
    const lines = frontmatter.bodyLine - 1 + markdown.lineCount;
    // No character costs much more than a token, so most texts need no estimate.
    const tokens = text.length * 1.5 <= maxTokens ? 0 : estimateTokens(text);
    const sizes: string[] = [];
    const limits: string[] = [];
    if (lines > maxLines) {
      sizes.push(`${grouped(lines)} lines`);
      limits.push(`${grouped(maxLines)} lines`);
    }
    if (tokens > maxTokens) {
      sizes.push(`about ${grouped(tokens)} tokens`);
      limits.push(`${grouped(maxTokens)} tokens`);
    }
    if (sizes.length === 0) return;
    yield {
      message: `SKILL.md has ${sizes.join(' and ')}, more than ${limits.join(' and ')}`,
      help: 'move details into files under references/ and link to them',
    };
  },
});

/** `12,345`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
