// Definition of a lint rule: metadata and a pure function. Its page `rules/<name>.md` explains and tests it.

import { type Severity, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type { LintSubject } from './lint-subject.ts';

/** Severity of a rule; `off` means it does not run. */
type RuleSeverity = Severity | 'off';

/** Something a rule found. Without a line, it is about the whole file. */
export interface RuleFinding {
  readonly message: string;
  /** The next step. */
  readonly help?: string | undefined;
  /** Path inside the skill, with `/`; SKILL.md by default. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** Overrides the rule's own severity. The configuration of the rule overrides both. */
  readonly severity?: Severity | undefined;
  /** The text of SKILL.md with this finding corrected, if that is safe. Applied one at a time, on the current text. */
  readonly fix?: ((text: string) => string) | undefined;
}

/** Options of a rule from `[lint.rules]`, without the severity. */
export type RuleOptions = Readonly<Record<string, unknown>>;

/** A rule. */
export interface Rule {
  /** `SKL107`. */
  readonly id: `SKL${number}`;
  /** `description-length`: also the name of its file and page. */
  readonly name: string;
  readonly severity: RuleSeverity;
  /** One sentence: what the rule requires. */
  readonly summary: string;
  /** True when some of its findings can be corrected by `--fix`. */
  readonly fixable?: true;
  check(skill: LintSubject, options: RuleOptions): Iterable<RuleFinding>;
}

/** Declares a rule; exists for type inference alone. */
export function defineRule(rule: Rule): Rule {
  return rule;
}

/** The option as a limit; the rule's default if it is missing or not a valid limit. */
export function readLimit(options: RuleOptions, key: string, fallback: number): number {
  const value = options[key];
  return typeof value === 'number' && value >= 0 ? value : fallback;
}

/** Further findings of a rule about files are only counted. */
const MAX_FINDINGS = 10;

/** The first findings, and one that counts the rest. */
export function firstFindings(
  findings: readonly RuleFinding[],
  describeRest: (left: number) => string,
  most = MAX_FINDINGS,
): RuleFinding[] {
  const left = findings.length - most;
  return left <= 0 ? [...findings] : [...findings.slice(0, most), { message: describeRest(left) }];
}

/** A rule with its settings. */
export interface ActiveRule {
  readonly rule: Rule;
  /** Severity of findings; `undefined` leaves it to the rule and the finding. */
  readonly configured: Severity | undefined;
  readonly options: RuleOptions;
}

/** The value of one entry of `[lint.rules]`. */
export type RuleSetting = RuleSeverity | ({ severity?: RuleSeverity | undefined } & Record<string, unknown>);

/** The rules that run under the given settings, by rule id or name; E110 for a rule that does not exist. */
export function activeRules(
  rules: readonly Rule[],
  settings: Readonly<Record<string, RuleSetting>>,
): ActiveRule[] {
  const byKey = new Map(
    rules.flatMap((rule) => [[rule.id.toLowerCase(), rule] as const, [rule.name, rule] as const]),
  );
  const chosen = new Map<Rule, RuleSetting>();
  for (const [key, setting] of Object.entries(settings)) {
    const rule = byKey.get(key.toLowerCase());
    if (rule === undefined) {
      const [candidate] = suggest(
        key,
        rules.flatMap(({ id, name }) => [id, name]),
      );
      const help = candidate && `did you mean ${candidate}?`;
      throw SkillwrightError.of('E110', { where: 'lint.rules', why: `no rule is called ${key}` }, { help });
    }
    chosen.set(rule, setting);
  }
  return rules.flatMap((rule): ActiveRule[] => {
    const setting = chosen.get(rule);
    const { severity, ...options } = typeof setting === 'object' ? setting : { severity: setting };
    if ((severity ?? rule.severity) === 'off') return [];
    return [{ rule, configured: severity === 'off' ? undefined : severity, options }];
  });
}
