// Which rules run, with which severity and options: defaults plus `[lint.rules]`.

import { type Severity, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import type { Rule, RuleOptions, RuleSeverity } from './rule.ts';

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
