// A whole lint run: resolves the user's arguments to skills, and combines the results into one report.

import { basename, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { copyText, displayPath, freeGarbage } from '../../base/files/index.ts';
import { type Access, findMeant, type Meant, type OpenedSkill } from '../../read/access/index.ts';
import type { ProfileName } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { companyRules, findCompany } from './find-company.ts';
import type { LintFinding, LintReport, LintSummary } from './lint-report.ts';
import { type LintOptions, lintSkill, type PlacedFinding } from './lint-skill.ts';
import { renderDiff } from './render-diff.ts';
import { activeRules, type RuleSetting } from './rule.ts';
import { rules } from './rules/index.ts';
import type { SkillFacts } from './skill-facts.ts';
import { SkillNeighbours } from './skill-neighbours.ts';

/** Options of a lint run. */
interface LintRequest {
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

/** A skill of the run, or a problem in the place of one. */
interface Linted {
  /** Its canonical directory. */
  readonly identity?: string;
  readonly dir?: string;
  readonly findings: LintFinding[];
  /** Undefined for a skipped compiled stub. */
  readonly judged?: Described | undefined;
}

/** A summary without the findings. */
type Described = Pick<LintSummary, 'skill' | 'path' | 'tokens' | 'abilities'>;

/** Lints every skill the request names. E001 or E010 if an argument names none; one bad skill never hides another. */
export async function lintPaths(request: LintRequest, access: Access): Promise<LintReport> {
  const { dryRun = false, diff = false } = request;
  const options = {
    profile: request.profile,
    rules: activeRules(rules, request.settings),
    force: request.force,
    fix: request.fix && dryRun ? ('dry' as const) : request.fix,
  };
  const linted: Linted[] = [];
  const fixes: LintReport['fixes'] = [];
  const diffs: string[] = [];
  const tested = new Set<string>();
  const seen = new Set<string>();
  const notSearched: string[] = [];
  const neighbours = new SkillNeighbours();
  const { cwd } = access.workspace;

  const lintOne = async ({ skill, dir }: Extract<Meant, { kind: 'skill' }>): Promise<void> => {
    const { findings, facts, ...result } = await lintFound(skill, { ...options, dir, cwd });
    fixes.push(...result.fixes);
    diffs.push(...result.diffs);
    const [identity, path] = [skill.dir, displayPath(cwd, dir)];
    linted.push({ identity, dir, findings, judged: facts && describeLinted(facts, path) });
    if (facts?.description === undefined) return;
    neighbours.add({ identity, path, name: facts.name, description: facts.description });
    if (facts.hasEvals) tested.add(identity);
  };

  // The path of a stub means the stub, which is skipped with a word.
  const question = { operation: 'inspect', author: request.author, asGiven: true } as const;
  for await (const meant of findMeant(request.paths, access, question)) {
    if (meant.kind === 'skipped') notSearched.push(`${displayPath(cwd, meant.path)} (${meant.why})`);
    if (meant.kind === 'problem')
      linted.push({ findings: [unreadable(meant.error, displayPath(cwd, meant.problem.path))] });
    if (meant.kind !== 'skill' || seen.has(meant.dir)) continue;
    seen.add(meant.dir);
    await lintOne(meant);
    if (seen.size % SKILLS_PER_NOTE === 0) request.progress?.(`linted ${seen.size} skills`);
    if (seen.size % BATCH === 0) freeGarbage();
  }
  const active = options.rules.filter(({ rule }) => companyRules.has(rule));
  const company = await findCompany(
    {
      neighbours,
      dirs: linted.flatMap(({ identity }) => identity ?? []),
      tested: [...tested],
      rules: active.map(({ rule }) => rule),
    },
    access,
  );
  for (const { identity, dir, findings } of company.size === 0 ? [] : linted) {
    const own = identity === undefined ? undefined : company.get(identity);
    if (own === undefined || dir === undefined) continue;
    const skill = await access.openAt(dir, question, { real: identity });
    const again = { ...options, rules: active, fix: false, dir, cwd, company: own };
    findings.push(...(await lintFound(skill, again)).findings);
  }
  const findings = linted.flatMap((one) => one.findings);
  return {
    profile: request.profile,
    skills: seen.size,
    errors: findings.filter(({ severity }) => severity === 'error').length,
    warnings: findings.filter(({ severity }) => severity === 'warning').length,
    fixed: dryRun ? 0 : fixes.length,
    dry_run: dryRun,
    max_warnings: request.maxWarnings ?? null,
    findings,
    fixes,
    judged: linted.flatMap(({ judged, findings: own }) => (judged ? [summarize(judged, own)] : [])),
    diff: diff ? diffs.join('') : null,
    not_searched: notSearched,
  };
}

/** Cost of an error and of a warning, out of 100 points; findings of one rule count once. */
const COSTS = { error: 20, warning: 5, info: 0 } as const;

function summarize(judged: Described, findings: readonly LintFinding[]): LintSummary {
  const count = (severity: LintFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).length;
  const rules = new Map(
    findings.map(({ rule, code, severity }) => [`${rule ?? code} ${severity}`, severity]),
  );
  const lost = [...rules.values()].reduce((sum, severity) => sum + COSTS[severity], 0);
  const { skill, path, tokens, abilities } = judged;
  return {
    skill,
    path,
    score: Math.max(0, 100 - lost),
    errors: count('error'),
    warnings: count('warning'),
    tokens,
    abilities,
  };
}

function describeLinted({ name, tokens, abilities }: SkillFacts, path: string): Described {
  const { hooks, tools } = abilities;
  return {
    skill: copyText(name),
    path,
    tokens,
    abilities: { ...abilities, hooks: hooks.map(copyText), tools: tools.map(copyText) },
  };
}

/** Number of skills linted between progress notes. */
const SKILLS_PER_NOTE = 50;

/** Number of skills linted between garbage collections. */
const BATCH = 2000;

/** How to lint a skill of a run. */
interface FoundOptions extends LintOptions {
  /** The directory as found. */
  readonly dir: string;
  /** Findings are placed relative to this. */
  readonly cwd: string;
}

/** Result for one skill of a run. */
interface FoundResult {
  readonly findings: LintFinding[];
  readonly fixes: LintReport['fixes'];
  /** At most one: what the fixes change. */
  readonly diffs: readonly string[];
  /** Undefined for a skipped compiled stub. */
  readonly facts: SkillFacts | undefined;
}

/** Lints a skill. One that cannot be read is a finding. */
async function lintFound(skill: OpenedSkill, { dir, cwd, ...options }: FoundOptions): Promise<FoundResult> {
  try {
    const result = lintSkill(await skill.read(), { ...options, directoryName: basename(dir) });
    const { facts } = result;
    const all = [...result.findings, ...result.fixes];
    if (all.length === 0) return { findings: [], fixes: [], diffs: [], facts };
    const reach = await skill.reach(all.map(({ file }) => file));
    const isClosed = ({ file }: PlacedFinding) => reach.gate !== undefined || !reach.allowsFile(file);
    const say = (placed: PlacedFinding) =>
      reported(isClosed(placed) ? unquoted(placed) : placed, displayPath(cwd, join(dir, placed.file)));
    // The frontmatter holds the answers of a quiz, and the lines around a change may contain them.
    const isShown = result.change !== undefined && reach.gate === undefined && reach.allowsFile(SKILL_FILE);
    return {
      findings: result.findings.filter(({ file }) => reach.allowsName(file)).map(say),
      fixes: result.fixes.map(say).map(asFix),
      diffs: isShown ? [renderDiff(displayPath(cwd, join(dir, SKILL_FILE)), result.change!)] : [],
      facts,
    };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { findings: [unreadable(error, displayPath(cwd, dir))], fixes: [], diffs: [], facts: undefined };
  }
}

function asFix({ rule, name, message, path, line }: LintFinding): LintReport['fixes'][number] {
  return { rule, name, message, path, line };
}

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

/** A problem that prevents reading a skill at all. */
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
