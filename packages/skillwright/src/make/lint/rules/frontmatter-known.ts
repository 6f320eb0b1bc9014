// SKL109: the frontmatter has only fields that agents read.

import { PROFILES } from '../../../skill/format/index.ts';
import { renameField } from '../edit-frontmatter.ts';
import type { LintSkill } from '../lint-skill.ts';
import { reportIssues } from '../report-issues.ts';
import { defineRule } from '../rule.ts';

/** Reports fields that the profile does not know. */
export const frontmatterKnown = defineRule({
  id: 'SKL109',
  name: 'frontmatter-known',
  severity: 'warning',
  summary: 'The frontmatter has only fields that the profile knows.',
  fixable: true,
  check(skill) {
    if (skill.issues.length === 0) return [];
    const unknown = skill.issues.filter(({ kind }) => kind === 'unknown');
    return reportIssues(skill, unknown, {
      fixOf: ({ field }) => {
        const right = rightSpelling(skill, field);
        return right === undefined ? undefined : (text) => renameField(text, { from: field, to: right });
      },
    });
  },
});

/** The field that differs from `field` only in capitals, hyphens and underscores, if the skill does not have it yet. */
function rightSpelling({ data, profile }: LintSkill, field: string): string | undefined {
  const letters = lettersOf(field);
  const alike = (candidate: string) => lettersOf(candidate) === letters;
  // Two wrong spellings of one field are ambiguous.
  if (Object.keys(data).filter(alike).length > 1) return undefined;
  return [...PROFILES[profile].fields].find(alike);
}

function lettersOf(field: string): string {
  return field.toLowerCase().replace(/[-_]/g, '');
}
