// Lints one skill of a run. Findings do not quote places that the actor may not read.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { copyText, displayPath } from '../../base/files/index.ts';
import type { OpenedSkill } from '../../read/access/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { type DirectoryOptions, lintDirectory, type PlacedFinding } from './lint-directory.ts';
import type { LintFinding, LintReport } from './lint-report.ts';
import { renderDiff } from './render-diff.ts';
import type { SkillFacts } from './skill-facts.ts';

/** How to lint a skill of a run. */
interface FoundOptions extends DirectoryOptions {
  /** The directory as found. */
  readonly dir: string;
  /** Findings are placed relative to this. */
  readonly cwd: string;
}

/** Result for one skill of a run. */
export interface FoundResult {
  readonly findings: LintFinding[];
  readonly fixes: LintReport['fixes'];
  /** At most one: what the fixes change. */
  readonly diffs: readonly string[];
  /** Undefined for a skipped compiled stub. */
  readonly facts: SkillFacts | undefined;
}

/** Lints a skill. One that cannot be read is a finding. */
export async function lintFound(
  skill: OpenedSkill,
  { dir, cwd, ...options }: FoundOptions,
): Promise<FoundResult> {
  try {
    const result = lintDirectory(dir, options);
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
export function unreadable({ code, message, help }: SkillwrightError, path: string): LintFinding {
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
