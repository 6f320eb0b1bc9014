// Definition of a scan rule: metadata and a pure function. Its page `rules/<name>.md` explains and tests it.

import type { ScanCategory, ScanConfidence, ScanSeverity } from './finding.ts';
import type { Match } from './match.ts';
import type { ScanSubject } from './scan-subject.ts';

/** Something a rule found. */
export interface RuleHit {
  readonly message: string;
  /** Where; without it the finding is about `file` as a whole. */
  readonly match?: Match;
  /** Path inside the skill, for a finding without a match; SKILL.md by default. */
  readonly file?: string;
  readonly line?: number;
  readonly excerpt?: string;
  /** Overrides the rule's own. */
  readonly severity?: ScanSeverity;
  /** Counts as an act: the same words carry two kinds of evidence. */
  readonly isAct?: boolean;
  /** How likely it is intended, from 0 to 1 or as a word; judged by the place of the match by default. */
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
  /** One sentence: what the rule reports. */
  readonly summary: string;
  /** One sentence: why it matters. */
  readonly reason: string;
  /** One sentence: what to do. */
  readonly help: string;
  /** It finds words, not acts: serious only if hidden, or together with something else. */
  readonly isAboutWords?: true;
  check(subject: ScanSubject): Iterable<RuleHit>;
}
