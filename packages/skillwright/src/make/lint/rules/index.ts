// The rules, in the order of their ids.

import type { Rule } from '../rule.ts';
import { codeBlockLanguage } from './code-block-language.ts';
import { descriptionFound } from './description-found.ts';
import { descriptionLength } from './description-length.ts';
import { descriptionNonempty } from './description-nonempty.ts';
import { descriptionRequired } from './description-required.ts';
import { descriptionTriggers } from './description-triggers.ts';
import { distinctSkills } from './distinct-skills.ts';
import { fieldTypes } from './field-types.ts';
import { fileSearchable } from './file-searchable.ts';
import { frontmatterKnown } from './frontmatter-known.ts';
import { frontmatterValid } from './frontmatter-valid.ts';
import { headingFirstH1 } from './heading-first-h1.ts';
import { headingH1 } from './heading-h1.ts';
import { headingHierarchy } from './heading-hierarchy.ts';
import { headingMatchName } from './heading-match-name.ts';
import { hooksValid } from './hooks-valid.ts';
import { linkAnchorExists } from './link-anchor-exists.ts';
import { linkFileExists } from './link-file-exists.ts';
import { linkNoEscape } from './link-no-escape.ts';
import { nameFormat } from './name-format.ts';
import { nameLength } from './name-length.ts';
import { nameMatchDir } from './name-match-dir.ts';
import { nameRequired } from './name-required.ts';
import { noOrphans } from './no-orphans.ts';
import { quizValid } from './quiz-valid.ts';
import { scriptAllowed } from './script-allowed.ts';
import { sectionReachable } from './section-reachable.ts';
import { skillSize } from './skill-size.ts';
import { skipCompiled } from './skip-compiled.ts';
import { totalSize } from './total-size.ts';
import { triggersValid } from './triggers-valid.ts';

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
