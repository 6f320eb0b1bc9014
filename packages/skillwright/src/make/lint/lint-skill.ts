// Lints one skill with every active rule, and corrects its file.

import { join } from 'node:path';
import { once, type Severity } from '../../base/diagnostics/index.ts';
import { writeFileAtomic } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { explainNoText } from '../../skill/format/index.ts';
import { SKILL_FILE, type Skill, skillWithText } from '../../skill/skill/index.ts';
import { type LintSubject, type LintView, lintSubject } from './lint-subject.ts';
import type { ActiveRule, Rule, RuleFinding } from './rule.ts';
import { frontmatterValid } from './rules/fields.ts';
import { skipCompiled } from './rules/skip-compiled.ts';

/** A finding of one rule in one file of one skill. */
export interface PlacedFinding {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly file: string;
  readonly finding: RuleFinding;
}

/** Options of linting one skill. */
export interface LintOptions extends LintView {
  readonly rules: readonly ActiveRule[];
  /** Check compiled stubs like any skill. */
  readonly force: boolean;
  /** Correct what can be corrected; `dry` only reports the corrections. */
  readonly fix: boolean | 'dry';
}

/** Facts about a skill besides its findings. */
export interface SkillFacts {
  readonly name: string;
  /** Undefined if the frontmatter is unreadable. */
  readonly description: string | undefined;
  /** It may have requests that should find it. */
  readonly hasEvals: boolean;
  /** Token cost of SKILL.md. */
  readonly tokens: number;
}

/** Result for one skill. */
interface LintResult {
  readonly findings: readonly PlacedFinding[];
  /** The findings that were, or would be, corrected, in order. */
  readonly fixes: readonly PlacedFinding[];
  /** The text of SKILL.md before and after; undefined if unchanged. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
  /** Undefined for a skipped compiled stub. */
  readonly facts: SkillFacts | undefined;
}

/** One correction can reveal another; this is far more rounds than there are fixable rules. */
const MAX_FIXES = 50;

/** Lints a skill. */
export function lintSkill(skill: Skill, options: LintOptions): LintResult {
  const nothing = { fixes: [], change: undefined, facts: undefined };
  if (skill.problem?.code === 'E015') {
    const message = explainNoText(skill.text);
    return {
      ...nothing,
      findings: [placed(frontmatterValid, { message, help: 'save the file as UTF-8 text' })],
    };
  }
  const { rules, fix } = options;
  const subject = lintSubject(skill, options);
  const [compiled] = options.force ? [] : skipCompiled.check(subject, {});
  if (compiled !== undefined) {
    // If the rule is off, it reports nothing, but the stub is still skipped.
    const active = rules.filter(({ rule }) => rule === skipCompiled);
    return { ...nothing, findings: active.map(({ rule, configured }) => placed(rule, compiled, configured)) };
  }
  const before = runRules(subject, rules);
  // Makes one correction after another until none is left, and lints the text again after each.
  const fixes: PlacedFinding[] = [];
  let [after, findings] = [subject, before];
  while (fix !== false && fixes.length < MAX_FIXES) {
    const { text } = after;
    const next = findings.find(({ finding }) => (finding.fix?.(text) ?? text) !== text);
    if (next === undefined) break;
    fixes.push(next);
    after = lintSubject(skillWithText(skill.dir, next.finding.fix!(text)), options);
    findings = runRules(after, rules);
  }
  const change = after.text === skill.text ? undefined : { before: skill.text, after: after.text };
  if (fix === 'dry') return { findings: before, fixes, change, facts: lintFacts(subject) };
  if (change !== undefined) writeFileAtomic(join(skill.dir, SKILL_FILE), change.after);
  return { findings, fixes, change, facts: lintFacts(after) };
}

function lintFacts({ frontmatter, directoryName, parts, text, hasEvals }: LintSubject): SkillFacts {
  const { name, description } = frontmatter;
  const asText = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    name: asText(name) || directoryName,
    description: parts.data === undefined ? undefined : asText(description),
    hasEvals: hasEvals(),
    tokens: estimateTokens(text),
  };
}

function runRules(skill: LintSubject, rules: readonly ActiveRule[]): PlacedFinding[] {
  const unreadable = skill.parts.data === undefined;
  const results: PlacedFinding[] = [];
  for (const { rule, configured, options } of rules) {
    // Without frontmatter, every other rule would only repeat that it is missing.
    if (rule === skipCompiled || (unreadable && rule !== frontmatterValid)) continue;
    for (const finding of rule.check(skill, options)) results.push(placed(rule, finding, configured));
  }
  return results.length === 0 ? results : withoutSilenced(skill, results);
}

function placed(rule: Rule, finding: RuleFinding, configured?: Severity): PlacedFinding {
  const own = rule.severity === 'off' ? 'warning' : rule.severity;
  return { rule, severity: configured ?? finding.severity ?? own, file: finding.file ?? SKILL_FILE, finding };
}

/** A comment that switches rules off: skc-disable, skc-enable, skc-disable-line. */
const DIRECTIVE = /^skc-(disable|enable|disable-line)\b\s*([^:]*)/;

interface Switch {
  readonly line: number;
  readonly action: string;
  /** Rule ids or names in lower case; empty means every rule. */
  readonly rules: readonly string[];
}

/** The findings that no comment in their file switches off. */
function withoutSilenced(skill: LintSubject, results: readonly PlacedFinding[]): PlacedFinding[] {
  const inManifest = once(() => switchesIn(skill, SKILL_FILE));
  const others = new Map<string, readonly Switch[]>();
  const switchesOf = (file: string): readonly Switch[] => {
    if (file === SKILL_FILE) return inManifest();
    const known = others.get(file) ?? switchesIn(skill, file);
    others.set(file, known);
    return known;
  };
  const isSilenced = ({ rule: { id, name }, finding: { line } }: PlacedFinding, file: string): boolean => {
    const mine = switchesOf(file).filter(
      ({ rules }) => rules.length === 0 || rules.includes(id.toLowerCase()) || rules.includes(name),
    );
    // About the file or its frontmatter, which cannot contain comments.
    const isAbove = line === undefined || line < (file === SKILL_FILE ? skill.parts.bodyLine : 1);
    if (isAbove) return mine.some(({ action }) => action === 'disable');
    if (mine.some((one) => one.action === 'disable-line' && one.line === line)) return true;
    const last = mine.findLast((one) => one.action !== 'disable-line' && one.line <= line);
    return last?.action === 'disable';
  };
  return results.filter((one) => {
    if (isSilenced(one, one.file)) return false;
    // Scripts and images hold no comments: a comment in SKILL.md can also silence findings about whole files.
    return one.finding.line !== undefined || !isSilenced(one, SKILL_FILE);
  });
}

/** The switches among the comments of SKILL.md or one of its references. */
function switchesIn(skill: LintSubject, file: string): Switch[] {
  const document = file.toLowerCase().endsWith('.md') ? skill.document(file) : undefined;
  if (!document?.text.includes('skc-')) return [];
  return document.markdown.comments.flatMap(({ text, line }) => {
    const [, action, written] = DIRECTIVE.exec(text) ?? [];
    if (action === undefined) return [];
    const rules = written!.toLowerCase().split(/[\s,]+/);
    return [{ line, action, rules: rules.filter((rule) => rule !== '') }];
  });
}
