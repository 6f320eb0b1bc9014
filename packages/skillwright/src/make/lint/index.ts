// Lints skills.

export { createMentionReader } from './file-mentions.ts';
export { createFileNames } from './file-names.ts';
export { lintDirectory, type PlacedFinding } from './lint-directory.ts';
export { lintPaths } from './lint-paths.ts';
export { type LintedSkill, LintFinding, LintReport } from './lint-report.ts';
export { LintSkill } from './lint-skill.ts';
export { renderDiff } from './render-diff.ts';
export { defineRule, type Rule, type RuleFinding, type RuleOptions, type RuleSeverity } from './rule.ts';
export { rulePages } from './rule-pages.generated.ts';
export { type ActiveRule, activeRules, type RuleSetting } from './rule-settings.ts';
export { rules } from './rules/index.ts';
