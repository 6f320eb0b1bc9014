// Lints skills.

export { setTextField } from './edit-frontmatter.ts';
export { lintPaths } from './lint-paths.ts';
export { LintFinding, LintReport, type LintSummary } from './lint-report.ts';
export { lintSkill, type PlacedFinding } from './lint-skill.ts';
export type { LintSubject } from './lint-subject.ts';
export { renderDiff } from './render-diff.ts';
export {
  type ActiveRule,
  activeRules,
  defineRule,
  type Rule,
  type RuleFinding,
  type RuleOptions,
  type RuleSetting,
} from './rule.ts';
export { rulePages } from './rule-pages.generated.ts';
export { rules } from './rules/index.ts';
