// A whole lint run: resolves the user's arguments to skills, and combines the results into one report.

import { basename, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { copyText, displayPath } from '../../base/files/index.ts';
import { type Access, findMeant, type OpenedSkill } from '../../read/access/index.ts';
import { entryOfSkill, type SkillEntry } from '../../read/catalog/index.ts';
import type { ProfileName } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { findCompany, isCompanyRule } from './find-company.ts';
import type { LintFinding, LintReport, LintSummary } from './lint-report.ts';
import { type LintOptions, lintSkill, type PlacedFinding, type SkillFacts } from './lint-skill.ts';
import { renderDiff } from './render-diff.ts';
import { activeRules, type RuleSetting } from './rule.ts';
import { rules } from './rules/index.ts';
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

/** Number of skills linted between progress notes. */
const SKILLS_PER_NOTE = 50;

/** Skills of a run that the catalog takes as they were read. Of a larger run it reads its own again, to save memory. */
const MAX_OPENED = 50;

/** Lints every skill the request names. E001 or E010 if an argument names none; one bad skill never hides another. */
export async function lintPaths(request: LintRequest, access: Access): Promise<LintReport> {
  const { dryRun = false, diff = false } = request;
  const { cwd } = access.workspace;
  const options = {
    profile: request.profile,
    rules: activeRules(rules, request.settings),
    force: request.force,
    fix: request.fix && dryRun ? ('dry' as const) : request.fix,
    cwd,
  };
  const linted: Linted[] = [];
  const tested: string[] = [];
  const seen = new Set<string>();
  const notSearched: string[] = [];
  const neighbours = new SkillNeighbours();
  const opened: SkillEntry[] = [];
  const started = Date.now();
  // The path of a stub means the stub, which is skipped with a word.
  const question = { operation: 'inspect', author: request.author, asGiven: true } as const;
  for await (const meant of findMeant(request.paths, access, question)) {
    if (meant.kind === 'skipped') notSearched.push(`${displayPath(cwd, meant.path)} (${meant.why})`);
    if (meant.kind === 'problem') linted.push(unreadable(meant.error, displayPath(cwd, meant.problem.path)));
    if (meant.kind !== 'skill' || seen.has(meant.dir)) continue;
    seen.add(meant.dir);
    const { facts, ...one } = await lintOpened(meant.skill, { ...options, dir: meant.dir });
    linted.push(one);
    if (opened.length < MAX_OPENED && one.summary !== undefined && !request.fix)
      opened.push(entryOfSkill(await meant.skill.read(), started));
    if (facts?.description !== undefined) {
      const { name, description } = facts;
      const identity = meant.skill.dir;
      neighbours.add({ identity, path: displayPath(cwd, meant.dir), name, description });
      if (facts.hasEvals) tested.push(identity);
    }
    if (seen.size % SKILLS_PER_NOTE === 0) request.progress?.(`linted ${seen.size} skills`);
  }
  const active = options.rules.filter(({ rule }) => isCompanyRule(rule));
  const dirs = linted.flatMap(({ place }) => place?.identity ?? []);
  const company = await findCompany(
    { neighbours, dirs, tested, opened, rules: active.map(({ rule }) => rule) },
    access,
  );
  for (const { place, findings } of company.size === 0 ? [] : linted) {
    const own = place && company.get(place.identity);
    if (own === undefined) continue;
    const skill = await access.openAt(place!.dir, question, { real: place!.identity });
    const again = { ...options, rules: active, fix: false, dir: place!.dir, company: own };
    findings.push(...(await lintOpened(skill, again)).findings);
  }
  const findings = linted.flatMap((one) => one.findings);
  const fixes = linted.flatMap((one) => one.fixes);
  return {
    profile: request.profile,
    skills: seen.size,
    errors: countSeverity(findings, 'error'),
    warnings: countSeverity(findings, 'warning'),
    fixed: dryRun ? 0 : fixes.length,
    dry_run: dryRun,
    max_warnings: request.maxWarnings ?? null,
    findings,
    fixes,
    judged: linted.flatMap((one) => (one.summary ? [scored(one.summary, one.findings)] : [])),
    diff: diff ? linted.map((one) => one.diff).join('') : null,
    not_searched: notSearched,
  };
}

/** Result for a skill of the run, or a problem in the place of one. */
interface Linted {
  /** Its directory as found, and the canonical one. Undefined for a problem. */
  readonly place?: { readonly dir: string; readonly identity: string };
  readonly findings: LintFinding[];
  readonly fixes: LintReport['fixes'];
  /** The changes that the fixes make; empty without fixes, and for a place that may not be read. */
  readonly diff: string;
  /** Undefined for a skipped compiled stub. */
  readonly summary?: Described | undefined;
}

/** A summary without what follows from the findings. */
type Described = Pick<LintSummary, 'skill' | 'path' | 'tokens'>;

/** How to lint a skill of a run: at the directory as found, with findings placed relative to `cwd`. */
type RunOptions = LintOptions & { readonly dir: string; readonly cwd: string };

/** Lints a skill. One that cannot be read is a finding. */
async function lintOpened(
  skill: OpenedSkill,
  { dir, cwd, ...options }: RunOptions,
): Promise<Linted & { readonly facts?: SkillFacts | undefined }> {
  const place = { dir, identity: skill.dir };
  const path = displayPath(cwd, dir);
  try {
    const result = lintSkill(await skill.read(), { ...options, directoryName: basename(dir) });
    const { facts, change } = result;
    // The name is part of SKILL.md, which it would keep in memory.
    const summary = facts && { skill: copyText(facts.name), path, tokens: facts.tokens };
    const all = [...result.findings, ...result.fixes];
    if (all.length === 0) return { place, findings: [], fixes: [], diff: '', summary, facts };
    const reach = await skill.reach(all.map(({ file }) => file));
    const say = (placed: PlacedFinding) => {
      const isOpen = reach.gate === undefined && reach.allowsFile(placed.file);
      return reported(isOpen ? placed : unquoted(placed), displayPath(cwd, join(dir, placed.file)));
    };
    // The frontmatter holds the answers of a quiz, and the lines around a change may contain them.
    const isShown = reach.gate === undefined && reach.allowsFile(SKILL_FILE);
    return {
      place,
      findings: result.findings.filter(({ file }) => reach.allowsName(file)).map(say),
      fixes: result.fixes.map(say).map(asFix),
      diff: change && isShown ? renderDiff(displayPath(cwd, join(dir, SKILL_FILE)), change) : '',
      summary,
      facts,
    };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { ...unreadable(error, path), place };
  }
}

const asFix = ({ rule, name, message, path, line }: LintFinding) => ({ rule, name, message, path, line });

/** Cost of an error and of a warning, out of 100 points; findings of one rule count once. */
const COSTS = { error: 20, warning: 5, info: 0 } as const;

function scored(summary: Described, findings: readonly LintFinding[]): LintSummary {
  const rules = new Map(
    findings.map(({ rule, code, severity }) => [`${rule ?? code} ${severity}`, severity]),
  );
  const lost = [...rules.values()].reduce((sum, severity) => sum + COSTS[severity], 0);
  return {
    ...summary,
    score: Math.max(0, 100 - lost),
    errors: countSeverity(findings, 'error'),
    warnings: countSeverity(findings, 'warning'),
  };
}

const countSeverity = (findings: readonly LintFinding[], severity: LintFinding['severity']) =>
  findings.filter((finding) => finding.severity === severity).length;

/** Rules about fields that everyone may see. */
const openRules = /^SKL(?:10[1-9]|114)$/;

/** Finding without details, for a place that may not be read. */
function unquoted(placed: PlacedFinding): PlacedFinding {
  if (openRules.test(placed.rule.id)) return placed;
  const help = 'if you are its author, use --author to see the details';
  return { ...placed, finding: { ...placed.finding, message: placed.rule.summary, help } };
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
function unreadable({ code, message, help = '' }: SkillwrightError, path: string): Linted {
  const finding = { code, rule: null, name: null, severity: 'error', message, path, line: null } as const;
  return { findings: [{ ...finding, help: help || null, fixable: false }], fixes: [], diff: '' };
}
