// A whole lint run: the words of a user become skills, the skills become one report.

import type { Dirent } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Code, SkillwrightError } from '../../base/diagnostics/index.ts';
import { displayPath } from '../../base/files/index.ts';
import type { ProfileName } from '../../skill/format/index.ts';
import {
  findSkills,
  hasSkillFile,
  isDirectory,
  type ResolveContext,
  resolveSkill,
} from '../../skill/places/index.ts';
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
  /** True for a skill that a quiz keeps closed: its findings name the rule and the place, and quote nothing. */
  readonly isClosed?: (dir: string) => boolean;
}

/** Judges every skill the request names. E001 or E010 when a word names none; one bad skill never hides another. */
export function lintPaths(request: LintRequest, context: ResolveContext): LintReport {
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
  const display = (path: string) => displayPath(context.cwd, path);

  const lintOne = (dir: string, listing?: readonly Dirent[]): void => {
    if (seen.has(dir)) return;
    seen.add(dir);
    skills += 1;
    try {
      const result = lintDirectory(dir, { ...options, listing });
      fixed += result.fixed;
      const isClosed = result.findings.length > 0 && (request.isClosed?.(dir) ?? false);
      for (const finding of result.findings)
        findings.push(reported(isClosed ? unquoted(finding) : finding, display(join(dir, finding.file))));
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      findings.push(unreadable(error.code, error.message, display(dir)));
    }
  };

  for (const word of request.paths) {
    const directory = resolve(context.cwd, word);
    if (word.includes('\0') || !isDirectory(directory) || hasSkillFile(directory)) {
      lintOne(resolveSkill(word, context).dir);
      continue;
    }
    let any = false;
    for (const batch of inBatches(findSkills(directory), BATCH)) {
      any = true;
      for (const found of batch) {
        if (found.kind === 'skill') lintOne(found.dir, found.listing);
        else findings.push(problem(found, display(found.path)));
      }
    }
    if (!any) lintOne(resolveSkill(word, context).dir);
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

/** Looking for many skills and then judging them is faster than doing both in turn; a batch bounds the memory. */
const BATCH = 2000;

function* inBatches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

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
    message: finding.message,
    help: finding.help ?? null,
    path,
    line: finding.line ?? null,
    fixable: finding.fix !== undefined,
  };
}

function problem(
  found: { kind: 'unreadable'; why: string } | { kind: 'not-a-file' },
  path: string,
): LintFinding {
  const error =
    found.kind === 'unreadable'
      ? SkillwrightError.of('E015', { path, why: found.why })
      : SkillwrightError.of('E010', { path });
  return unreadable(error.code, error.message, path);
}

function unreadable(code: Code, message: string, path: string): LintFinding {
  return {
    code,
    rule: null,
    name: null,
    severity: 'error',
    message,
    help: null,
    path,
    line: null,
    fixable: false,
  };
}
