// A whole lint run: resolves the user's arguments to skills, and combines the results into one report.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { copyText, displayPath, freeGarbage } from '../../base/files/index.ts';
import { type Access, findMeant, type Meant } from '../../read/access/index.ts';
import type { ProfileName } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { lintDirectory, type PlacedFinding } from './lint-directory.ts';
import type { LintedSkill, LintFinding, LintReport } from './lint-report.ts';
import { renderDiff } from './render-diff.ts';
import { activeRules, type RuleSetting } from './rule-settings.ts';
import { rules } from './rules/index.ts';
import type { SkillFacts } from './skill-facts.ts';
import { type CompareSkill, SkillNeighbours } from './skill-neighbours.ts';

/** Options of a lint run. */
export interface LintRequest {
  /** Skills by path or name, or directories with many. */
  readonly paths: readonly string[];
  readonly profile: ProfileName;
  readonly settings: Readonly<Record<string, RuleSetting>>;
  readonly fix: boolean;
  /** With `fix`: report the corrections, and change nothing. */
  readonly dryRun?: boolean;
  /** With `fix`: show what changes. */
  readonly diff?: boolean;
  readonly force: boolean;
  readonly maxWarnings: number | undefined;
  /** The author checks their own skill: findings quote it even if it is locked behind a quiz. */
  readonly author: boolean;
  /** Hears how far a long run is. */
  progress?(text: string): void;
}

/** Lints every skill the request names. E001 or E010 if an argument names none; one bad skill never hides another. */
export async function lintPaths(request: LintRequest, access: Access): Promise<LintReport> {
  const { dryRun = false, diff = false } = request;
  const options = {
    profile: request.profile,
    rules: activeRules(rules, request.settings),
    force: request.force,
    fix: request.fix && dryRun ? ('dry' as const) : request.fix,
  };
  const findings: LintFinding[] = [];
  const report: Pick<LintReport, 'fixes' | 'judged'> = { fixes: [], judged: [] };
  const diffs: string[] = [];
  const seen = new Set<string>();
  const neighbours = new SkillNeighbours();
  let skills = 0;
  const display = (path: string) => displayPath(access.workspace.cwd, path);

  const lintOne = async ({ skill, dir, listing }: Extract<Meant, { kind: 'skill' }>): Promise<void> => {
    skills += 1;
    const path = display(dir);
    const first = findings.length;
    try {
      const compare: CompareSkill = (facts) => neighbours.meet({ identity: skill.dir, path, ...facts });
      const result = lintDirectory(dir, { ...options, listing, compare });
      const all = [...result.findings, ...result.fixes];
      if (all.length > 0) {
        const reach = await skill.reach(all.map(({ file }) => file));
        const isClosed = ({ file }: PlacedFinding) => reach.gate !== undefined || !reach.allowsFile(file);
        const say = (placed: PlacedFinding) =>
          reported(isClosed(placed) ? unquoted(placed) : placed, display(join(dir, placed.file)));
        findings.push(...result.findings.filter(({ file }) => reach.allowsName(file)).map(say));
        report.fixes.push(...result.fixes.map(say).map(asFix));
        // The frontmatter holds the answers of a quiz, and the lines around a change may contain them.
        if (result.change !== undefined && reach.gate === undefined && reach.allowsFile(SKILL_FILE))
          diffs.push(renderDiff(display(join(dir, SKILL_FILE)), result.change));
      }
      if (result.facts !== undefined)
        report.judged.push(summarize(result.facts, path, findings.slice(first)));
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      findings.push(unreadable(error, path));
    }
  };

  const question = { operation: 'inspect', author: request.author } as const;
  for await (const meant of findMeant(request.paths, access, question)) {
    if (meant.kind === 'problem') findings.push(unreadable(meant.error, display(meant.problem.path)));
    if (meant.kind !== 'skill' || seen.has(meant.dir)) continue;
    seen.add(meant.dir);
    await lintOne(meant);
    if (seen.size % SKILLS_PER_NOTE === 0) request.progress?.(`linted ${seen.size} skills`);
    if (seen.size % BATCH === 0) freeGarbage();
  }
  return {
    profile: request.profile,
    skills,
    errors: findings.filter(({ severity }) => severity === 'error').length,
    warnings: findings.filter(({ severity }) => severity === 'warning').length,
    fixed: dryRun ? 0 : report.fixes.length,
    dry_run: dryRun,
    max_warnings: request.maxWarnings ?? null,
    findings,
    ...report,
    diff: diff ? diffs.join('') : null,
  };
}

/** Cost of an error and of a warning, out of 100 points; findings of one rule count once. */
const COSTS = { error: 20, warning: 5, info: 0 } as const;

function summarize(facts: SkillFacts, path: string, findings: readonly LintFinding[]): LintedSkill {
  const count = (severity: LintFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  const rules = new Map(
    findings.map(({ rule, code, severity }) => [`${rule ?? code} ${severity}`, severity]),
  );
  const lost = [...rules.values()].reduce((sum, severity) => sum + COSTS[severity], 0);
  return {
    skill: copyText(facts.name),
    path,
    score: Math.max(0, 100 - lost),
    errors: count('error'),
    warnings: count('warning'),
    tokens: facts.tokens,
    abilities: {
      ...facts.abilities,
      hooks: facts.abilities.hooks.map(copyText),
      tools: facts.abilities.tools.map(copyText),
    },
  };
}

function asFix({ rule, name, message, path, line }: LintFinding): LintReport['fixes'][number] {
  return { rule, name, message, path, line };
}

/** Number of skills linted between progress notes. */
const SKILLS_PER_NOTE = 50;

/** Number of skills linted between garbage collections. */
const BATCH = 2000;

/** Rules about fields that everyone may see. */
const openRules = /^SKL(?:10[1-9]|114)$/;

/** Finding without details, for a place that may not be read. */
function unquoted(placed: PlacedFinding): PlacedFinding {
  if (openRules.test(placed.rule.id)) return placed;
  const { finding, ...rest } = placed;
  const help = 'if you are its author, use --author to see the details';
  return { ...rest, finding: { ...finding, message: rest.rule.summary, help } };
}

function reported({ rule, severity, finding }: PlacedFinding, path: string): LintFinding {
  return {
    code: severity === 'error' ? 'E300' : 'W300',
    rule: rule.id,
    name: rule.name,
    severity,
    message: copyText(finding.message),
    help: finding.help === undefined ? null : copyText(finding.help),
    path,
    line: finding.line ?? null,
    fixable: finding.fix !== undefined,
  };
}

function unreadable({ code, message, help }: SkillwrightError, path: string): LintFinding {
  return {
    code,
    rule: null,
    name: null,
    severity: 'error',
    message,
    help: help ?? null,
    path,
    line: null,
    fixable: false,
  };
}
