// Faults of the fields as findings.

import type { FormatIssue } from '../../skill/format/index.ts';
import type { LintSkill } from './lint-skill.ts';
import { boundMessage } from './quote-text.ts';
import type { RuleFinding } from './rule.ts';

/** More findings of one rule are only counted: whoever has so many sees the pattern, and finding their lines takes time. */
const ISSUE_LIMIT = 50;

/** Frontmatter longer than this, in characters, is not corrected: each correction reads it several times. */
const FIX_LIMIT = 16 * 1024;

/** Makes the corrected text. */
export type Fix = (text: string) => string;

/** Faults of the fields as findings at their lines, each with its correction where there is one. */
export function* reportIssues(
  skill: LintSkill,
  issues: readonly FormatIssue[],
  { fixOf }: { fixOf?: (issue: FormatIssue) => Fix | undefined } = {},
): Generator<RuleFinding> {
  const isFixable = skill.frontmatter.yaml.length <= FIX_LIMIT;
  for (const issue of issues.slice(0, ISSUE_LIMIT)) {
    const { message, help, path, severity } = issue;
    const fix = isFixable ? fixOf?.(issue) : undefined;
    yield {
      message: boundMessage(message),
      ...(help === undefined ? {} : { help: boundMessage(help) }),
      line: skill.lineOf(...path),
      severity,
      // A correction that cannot be made is not offered.
      ...(fix === undefined || fix(skill.text) === skill.text ? {} : { fix }),
    };
  }
  const rest = issues.slice(ISSUE_LIMIT);
  if (rest.length === 0) return;
  const severity = rest.some((issue) => issue.severity === 'error') ? 'error' : 'warning';
  yield { message: `${rest.length} more findings like these`, line: 1, severity };
}

/** The faults of one field that are of certain kinds. */
export function issuesAbout(
  field: string,
  { skill, kinds }: { skill: LintSkill; kinds: readonly FormatIssue['kind'][] },
): readonly FormatIssue[] {
  const { issues } = skill;
  return issues.length === 0
    ? issues
    : issues.filter((issue) => issue.field === field && kinds.includes(issue.kind));
}
