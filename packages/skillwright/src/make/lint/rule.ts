// What a lint rule is: metadata and a pure function. Its page `rules/<name>.md` explains it and holds its tests.

import type { Severity } from '../../base/diagnostics/index.ts';
import type { LintSkill } from './lint-skill.ts';

/** How seriously a rule's findings are taken; `off` means it does not run. */
export type RuleSeverity = Severity | 'off';

/** Something a rule found. Without a line it is about the whole file. */
export interface RuleFinding {
  readonly message: string;
  /** What to do about it. */
  readonly help?: string;
  /** Path inside the skill, with `/`; SKILL.md when left out. */
  readonly file?: string;
  readonly line?: number;
  /** Weaker or stronger than the rule's own severity. Configuration of the rule wins over it. */
  readonly severity?: Severity;
  /** The text of SKILL.md with this finding corrected, where that is safe. Applied one at a time, on the current text. */
  readonly fix?: (text: string) => string;
}

/** Options of a rule from `[lint.rules]`, already stripped of the severity. */
export type RuleOptions = Readonly<Record<string, unknown>>;

/** A rule. */
export interface Rule {
  /** `SKL107`. */
  readonly id: `SKL${number}`;
  /** `description-length`: also the name of its file and page. */
  readonly name: string;
  readonly severity: RuleSeverity;
  /** One sentence: what the rule wants. */
  readonly summary: string;
  /** True when some of its findings can be corrected by `--fix`. */
  readonly fixable?: true;
  check(skill: LintSkill, options: RuleOptions): Iterable<RuleFinding>;
}

/** Declares a rule; exists for type inference alone. */
export function defineRule(rule: Rule): Rule {
  return rule;
}
