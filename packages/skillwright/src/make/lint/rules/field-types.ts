// SKL110: every field has a value of the right kind.

import { type FormatIssue, isMapping, splitWords, writtenText } from '../../../skill/format/index.ts';
import { quoteScalar, setTextField } from '../edit-frontmatter.ts';
import type { LintSkill } from '../lint-skill.ts';
import { type Fix, reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports values of the wrong type, length or form, except where another rule does. */
export const fieldTypes = defineRule({
  id: 'SKL110',
  name: 'field-types',
  severity: 'error',
  summary: 'Every field has the kind of value that the profile requires.',
  fixable: true,
  check(skill) {
    if (skill.issues.length === 0) return [];
    return reportIssues(skill, skill.issues.filter(isOwn), { fixOf: (issue) => correction(skill, issue) });
  },
});

/** Other rules check unknown fields, the name and most of the description. */
function isOwn({ field, kind }: FormatIssue): boolean {
  if (kind === 'unknown' || field === 'name') return false;
  return field !== 'description' || kind === 'value';
}

function correction({ data }: LintSkill, { kind, path }: FormatIssue): Fix | undefined {
  const [field, key] = path;
  if (kind !== 'type') return undefined;
  if (field === 'metadata' && typeof key === 'string' && path.length === 2 && isMapping(data.metadata)) {
    const written = writtenText(data.metadata, key);
    return written === undefined ? undefined : (text) => quoteScalar(text, { path: [field, key], written });
  }
  if (path.length !== 1) return undefined;
  const list = textsOf(data[String(field)]);
  if (list === undefined) return undefined;
  if (field === 'compatibility') return (text) => setTextField(text, { field, value: list.join(', ') });
  const tools = list.join(' ');
  // An entry with a space outside brackets would be split.
  if (field !== 'allowed-tools' || splitWords(tools).join('\n') !== list.join('\n')) return undefined;
  return (text) => setTextField(text, { field, value: tools });
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}
