// All checks, in the order of their findings.

import type { Check } from '../check.ts';
import { agentsView } from './agents-view.ts';
import { compiledSkills } from './compiled-skills.ts';
import { configuration } from './configuration.ts';
import { installedSkills } from './installed-skills.ts';
import { leftBehind } from './left-behind.ts';
import { linksAndCopies } from './links-and-copies.ts';
import { machine } from './machine.ts';

/** Every check. */
export const checks: readonly Check[] = [
  ...configuration,
  ...installedSkills,
  ...compiledSkills,
  ...linksAndCopies,
  ...agentsView,
  ...leftBehind,
  ...machine,
];
