// Scans skills for harm, and scores how far to trust one.

export { ABILITY_KINDS, type AbilityKind, type FoundAbility } from './abilities/found-ability.ts';
export { programName } from './abilities/programs.ts';
export { readBaselineFile } from './baseline-file.ts';
export {
  ScanCategory,
  ScanConfidence,
  ScanFinding,
  ScanResult,
  ScanSeverity,
  ScanVerdict,
  SkippedFile,
} from './finding.ts';
export { verdictSentence } from './judge-findings.ts';
export { defineProbe, type Probe } from './probe.ts';
export { scanRules } from './rules/index.ts';
export {
  applyBaseline,
  type FindingIdentity,
  findingIdentity,
  identifyFindings,
  type ReviewedFinding,
} from './scan-baseline.ts';
export { scanPaths } from './scan-paths.ts';
export { ScanReport, SkillScan } from './scan-report.ts';
export type { RuleHit, ScanRule } from './scan-rule.ts';
export { scanRulePages } from './scan-rule-pages.generated.ts';
export { scanAbilities, scanSkill } from './scan-skill.ts';
export {
  scoreTrust,
  type TrustFacts,
  TrustScore,
  trustFactsOf,
} from './score-trust.ts';
export type { OpinionSource } from './second-opinion.ts';
