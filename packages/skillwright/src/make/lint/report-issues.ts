// Turns problems of the fields into findings.

import type { FormatIssue } from '../../skill/format/index.ts';
import type { LintSubject } from './lint-subject.ts';
import { boundMessage } from './quote-text.ts';
import type { RuleFinding } from './rule.ts';

/** Further findings of one rule are only counted: the pattern is clear by then, and finding their lines takes time. */
const ISSUE_LIMIT = 50;

/** Frontmatter longer than this, in characters, is not corrected: each correction reads it several times. */
const FIX_LIMIT = 16 * 1024;

/** Makes the corrected text. */
export type Fix = (text: string) => string;

/** Problems of the fields as findings at their lines, each with its correction if there is one. */
export function* reportIssues(
  skill: LintSubject,
  issues: readonly FormatIssue[],
  { fixOf }: { fixOf?: (issue: FormatIssue) => Fix | undefined } = {},
): Generator<RuleFinding> {
  const isFixable = skill.parts.yaml.length <= FIX_LIMIT;
  for (const issue of issues.slice(0, ISSUE_LIMIT)) {
    const { message, help, path, severity } = issue;
    const fix = isFixable ? fixOf?.(issue) : undefined;
    yield {
      message: boundMessage(message),
      help: help && boundMessage(help),
      line: skill.lineOf(...path),
      severity,
      // Do not offer a correction that cannot be made.
      fix: fix?.(skill.text) === skill.text ? undefined : fix,
    };
  }
  const rest = issues.slice(ISSUE_LIMIT);
  if (rest.length === 0) return;
  const severity = rest.some((issue) => issue.severity === 'error') ? 'error' : 'warning';
  yield { message: `${rest.length} more findings like these`, line: 1, severity };
}
