// A whole lint run: the words of a user become skills, the skills become one report.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { copyText, displayPath, freeGarbage } from '../../base/files/index.ts';
import { type Access, findMeant, type Meant } from '../../read/access/index.ts';
import type { ProfileName } from '../../skill/format/index.ts';
import { lintDirectory, type PlacedFinding } from './lint-directory.ts';
import type { LintFinding, LintReport } from './lint-report.ts';
import { activeRules, type RuleSetting } from './rule-settings.ts';
import { rules } from './rules/index.ts';

/** What to judge and how. */
export interface LintRequest {
  /** Skills by path or name, or directories that hold many. */
  readonly paths: readonly string[];
  readonly profile: ProfileName;
  readonly settings: Readonly<Record<string, RuleSetting>>;
  readonly fix: boolean;
  readonly force: boolean;
  readonly maxWarnings: number | undefined;
  /** The author looks at what they wrote: findings quote it although a quiz keeps it closed. */
  readonly author: boolean;
}

/** Judges every skill the request names. E001 or E010 when a word names none; one bad skill never hides another. */
export async function lintPaths(request: LintRequest, access: Access): Promise<LintReport> {
  const options = {
    profile: request.profile,
    rules: activeRules(rules, request.settings),
    force: request.force,
    fix: request.fix,
  };
  const findings: LintFinding[] = [];
  const seen = new Set<string>();
  let skills = 0;
  let fixed = 0;
  const display = (path: string) => displayPath(access.workspace.cwd, path);

  const lintOne = async ({ skill, dir, listing }: Extract<Meant, { kind: 'skill' }>): Promise<void> => {
    skills += 1;
    try {
      const result = lintDirectory(dir, { ...options, listing });
      fixed += result.fixed;
      if (result.findings.length === 0) return;
      const reach = await skill.reach(result.findings.map(({ file }) => file));
      for (const placed of result.findings) {
        if (!reach.allowsName(placed.file)) continue;
        const isClosed = reach.gate !== undefined || !reach.allowsFile(placed.file);
        findings.push(reported(isClosed ? unquoted(placed) : placed, display(join(dir, placed.file))));
      }
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      findings.push(unreadable(error, display(dir)));
    }
  };

  const question = { operation: 'inspect', author: request.author } as const;
  for await (const meant of findMeant(request.paths, access, question)) {
    if (meant.kind === 'problem') findings.push(unreadable(meant.error, display(meant.problem.path)));
    if (meant.kind !== 'skill' || seen.has(meant.dir)) continue;
    seen.add(meant.dir);
    await lintOne(meant);
    if (seen.size % BATCH === 0) freeGarbage();
  }
  return {
    profile: request.profile,
    skills,
    errors: findings.filter(({ severity }) => severity === 'error').length,
    warnings: findings.filter(({ severity }) => severity === 'warning').length,
    fixed,
    max_warnings: request.maxWarnings ?? null,
    findings,
  };
}

/** So many skills are judged before what they left behind is taken away. */
const BATCH = 2000;

/** Rules about fields that everybody sees. */
const openRules = /^SKL10[1-9]$/;

/** What may be said about a place that may not be read. */
function unquoted(placed: PlacedFinding): PlacedFinding {
  if (openRules.test(placed.rule.id)) return placed;
  const { finding, ...rest } = placed;
  const help = 'its author sees what is there with --author';
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
