// skillwright/make: writing, checking and compiling skills.

export type { ListedSkill } from '../read/usage/index.ts';
export {
  createSkill,
  renderTemplate,
  type TemplateName,
  templateNames,
  templateProfiles,
  titleOf,
} from './author/index.ts';
export {
  type BuildSkillOptions,
  type Built,
  buildSkill,
  type Cleaned,
  type Deployment,
  type DeployOptions,
  deploy,
  type Imported,
  importSkill,
  MAX_STUB_LINES,
  renderStub,
} from './compile/index.ts';
export {
  type ActiveRule,
  activeRules,
  defineRule,
  LintFinding,
  LintReport,
  type LintSubject,
  lintPaths,
  lintSkill,
  type PlacedFinding,
  type Rule,
  type RuleFinding,
  type RuleOptions,
  type RuleSetting,
  rules,
} from './lint/index.ts';
