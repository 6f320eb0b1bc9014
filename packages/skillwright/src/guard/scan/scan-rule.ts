// What a scan rule is: metadata and a pure function. Its page `rules/<name>.md` explains it and holds its tests.

import type { ScanCategory, ScanConfidence, ScanSeverity } from './finding.ts';
import type { Match } from './match.ts';
import type { Probe } from './probe.ts';
import type { ScanSubject } from './scan-subject.ts';

/** Something a rule found. */
export interface RuleHit {
  readonly message: string;
  /** Where; without it the finding is about `file` as a whole. */
  readonly match?: Match;
  /** Path inside the skill, when there is no match; SKILL.md when left out. */
  readonly file?: string;
  readonly line?: number;
  readonly excerpt?: string;
  /** Other than the rule's own. */
  readonly severity?: ScanSeverity;
  /** What is said is as good as done: two kinds of evidence stand in the same words. */
  readonly isAct?: boolean;
  /** How likely it is meant, from 0 to 1, or in a word; by the place of the match when left out. */
  readonly confidence?: ScanConfidence | number;
}

/** A rule. */
export interface ScanRule {
  /** `SCN201`. */
  readonly id: `SCN${number}`;
  /** `download-and-run`: also the name of its file and page. */
  readonly name: string;
  readonly category: ScanCategory;
  readonly severity: ScanSeverity;
  /** One sentence: what the rule looks for. */
  readonly summary: string;
  /** One sentence: why it matters. */
  readonly reason: string;
  /** One sentence: what to do. */
  readonly help: string;
  /** It finds words, not acts: they are grave only where nobody sees them, or with something else. */
  readonly isAboutWords?: true;
  /** Everything the rule asks of texts, so that it can be looked for in one pass with what others ask. */
  readonly probes: readonly Probe[];
  check(subject: ScanSubject): Iterable<RuleHit>;
}

/** Declares a rule; exists for type inference alone. */
export function defineScanRule(rule: ScanRule): ScanRule {
  return rule;
}
