// The rules, in the order of their ids.

import type { Rule } from '../rule.ts';
import { activeFieldRules } from './active-fields.ts';
import { companyRules } from './company.ts';
import { descriptionTriggers, templateText } from './descriptions.ts';
import { fieldRules, frontmatterValid } from './fields.ts';
import { fileRules } from './files.ts';
import { headingRules } from './headings.ts';
import { linkRules } from './links.ts';
import { noOrphans } from './no-orphans.ts';
import { sectionReachable } from './section-reachable.ts';
import { skipCompiled } from './skip-compiled.ts';

/** Every rule. */
export const rules: readonly Rule[] = [
  skipCompiled,
  frontmatterValid,
  ...fieldRules,
  descriptionTriggers,
  ...activeFieldRules,
  ...companyRules,
  templateText,
  ...fileRules,
  ...headingRules,
  ...linkRules,
  noOrphans,
  sectionReachable,
].sort((a, b) => (a.id < b.id ? -1 : 1));
