// Lints one skill with every active rule, and corrects its file.

import { join } from 'node:path';
import type { Severity } from '../../base/diagnostics/index.ts';
import { writeFileAtomic } from '../../base/files/index.ts';
import type { Comment } from '../../base/markdown/index.ts';
import { SKILL_FILE, type Skill, skillWithText } from '../../skill/skill/index.ts';
import { type LintSubject, type LintView, lintSubject } from './lint-subject.ts';
import type { ActiveRule, Rule, RuleFinding } from './rule.ts';
import { frontmatterValid } from './rules/fields.ts';
import { skipCompiled } from './rules/skip-compiled.ts';
import { lintFacts, type SkillFacts } from './skill-facts.ts';

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
    const isBinary = skill.text.includes('\0');
    const message = isBinary ? 'SKILL.md is not text: it contains NUL bytes' : 'SKILL.md is not valid UTF-8';
    const finding = { message, help: 'save the file as UTF-8 text' };
    return { ...nothing, findings: [placed(frontmatterValid, finding)] };
  }
  const { rules } = options;
  const subject = lintSubject(skill, options);
  const [compiled] = options.force ? [] : skipCompiled.check(subject, {});
  if (compiled !== undefined) {
    // If the rule is off, it reports nothing, but the stub is still skipped.
    const active = rules.filter(({ rule }) => rule === skipCompiled);
    const findings = active.map(({ rule, configured }) => placed(rule, compiled, configured));
    return { ...nothing, findings };
  }
  const findings = runRules(subject, rules);
  if (options.fix === false) return { ...nothing, findings, facts: lintFacts(subject) };
  const corrected = correctAll(subject, findings, options);
  const { fixes, after } = corrected;
  const change = after.text === skill.text ? undefined : { before: skill.text, after: after.text };
  if (options.fix === 'dry') return { findings, fixes, change, facts: lintFacts(subject) };
  if (change !== undefined) writeFileAtomic(join(skill.dir, SKILL_FILE), change.after);
  return { findings: corrected.findings, fixes, change, facts: lintFacts(after) };
}

/** Makes one correction after another until none is left, and lints the text again after each. */
function correctAll(skill: LintSubject, found: readonly PlacedFinding[], options: LintOptions) {
  const fixes: PlacedFinding[] = [];
  let findings = found;
  let after = skill;
  while (fixes.length < MAX_FIXES) {
    const next = correct(after.text, findings);
    if (next === undefined) break;
    fixes.push(next.placed);
    after = lintSubject(skillWithText(skill.dir, next.text), options);
    findings = runRules(after, options.rules);
  }
  return { findings, fixes, after };
}

/** The text after the first correction that changes it, and the corrected finding; undefined if there is none. */
function correct(
  text: string,
  findings: readonly PlacedFinding[],
): { text: string; placed: PlacedFinding } | undefined {
  for (const found of findings) {
    const corrected = found.finding.fix?.(text) ?? text;
    if (corrected !== text) return { text: corrected, placed: found };
  }
  return undefined;
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

function withoutSilenced(skill: LintSubject, results: readonly PlacedFinding[]): PlacedFinding[] {
  const byFile = new Map<string, Directives | undefined>();
  const directivesOf = (file: string): Directives | undefined => {
    if (!byFile.has(file)) {
      const document = file.toLowerCase().endsWith('.md') ? skill.document(file) : undefined;
      const bodyLine = file === SKILL_FILE ? skill.parts.bodyLine : 1;
      byFile.set(
        file,
        document?.text.includes('skc-') ? readDirectives(document.markdown.comments, bodyLine) : undefined,
      );
    }
    return byFile.get(file);
  };
  return results.filter(({ rule: { id, name }, file, finding: { line } }) => {
    if (directivesOf(file)?.silences({ id, name, line })) return false;
    // Scripts and images hold no comments: a comment in SKILL.md can also silence findings about whole files.
    return line !== undefined || !directivesOf(SKILL_FILE)?.silences({ id, name, line });
  });
}

// Comments in SKILL.md and its references that switch rules off: skc-disable, skc-enable, skc-disable-line.

const DIRECTIVE = /^skc-(disable|enable|disable-line)\b\s*([^:]*)/;

interface Switch {
  readonly line: number;
  readonly action: 'disable' | 'enable' | 'disable-line';
  /** Rule ids or names in lower case; empty means every rule. */
  readonly rules: readonly string[];
}

/** Decides which findings in one file its comments switch off. */
interface Directives {
  /** `line` undefined, or before `bodyLine`: about the file or its frontmatter, which cannot contain comments. */
  silences(finding: { id: string; name: string; line: number | undefined }): boolean;
}

/** Reads the directives among a document's comments. */
function readDirectives(comments: readonly Comment[], bodyLine: number): Directives {
  const switches = comments.flatMap((comment): Switch[] => {
    const match = DIRECTIVE.exec(comment.text);
    if (match === null) return [];
    const rules = match[2]!
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    return [{ line: comment.line, action: match[1] as Switch['action'], rules }];
  });
  return {
    silences({ id, name, line }) {
      const mine = switches.filter(
        ({ rules }) => rules.length === 0 || rules.includes(id.toLowerCase()) || rules.includes(name),
      );
      if (mine.length === 0) return false;
      if (line === undefined || line < bodyLine) return mine.some(({ action }) => action === 'disable');
      if (mine.some((entry) => entry.action === 'disable-line' && entry.line === line)) return true;
      const last = mine.findLast((entry) => entry.action !== 'disable-line' && entry.line <= line);
      return last?.action === 'disable';
    },
  };
}
