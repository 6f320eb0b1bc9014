// The rules, in the order of their ids.

import type { Rule } from '../rule.ts';
import { hooksValid, quizValid, triggersValid } from './active-fields.ts';
import { descriptionFound, distinctSkills } from './company.ts';
import { descriptionTriggers } from './description-triggers.ts';
import {
  descriptionLength,
  descriptionNonempty,
  descriptionRequired,
  fieldTypes,
  frontmatterKnown,
  frontmatterValid,
  nameFormat,
  nameLength,
  nameMatchDir,
  nameRequired,
} from './fields.ts';
import { fileSearchable, scriptAllowed, skillSize, totalSize } from './files.ts';
import {
  codeBlockLanguage,
  headingFirstH1,
  headingH1,
  headingHierarchy,
  headingMatchName,
} from './headings.ts';
import { linkAnchorExists, linkFileExists, linkNoEscape } from './links.ts';
import { noOrphans } from './no-orphans.ts';
import { sectionReachable } from './section-reachable.ts';
import { skipCompiled } from './skip-compiled.ts';
import { templateText } from './template-text.ts';

/** Every rule. */
export const rules: readonly Rule[] = [
  skipCompiled,
  frontmatterValid,
  nameRequired,
  nameFormat,
  nameLength,
  nameMatchDir,
  descriptionRequired,
  descriptionNonempty,
  descriptionLength,
  descriptionTriggers,
  frontmatterKnown,
  fieldTypes,
  quizValid,
  triggersValid,
  hooksValid,
  distinctSkills,
  descriptionFound,
  templateText,
  skillSize,
  headingH1,
  headingMatchName,
  headingFirstH1,
  headingHierarchy,
  codeBlockLanguage,
  linkFileExists,
  linkAnchorExists,
  linkNoEscape,
  noOrphans,
  scriptAllowed,
  totalSize,
  fileSearchable,
  sectionReachable,
];
