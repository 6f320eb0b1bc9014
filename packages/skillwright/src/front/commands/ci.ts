// skc ci: verify, scan, lint and test in one run.

import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { realPath, writeError, writeFileAtomic } from '../../base/files/index.ts';
import { acceptedInLock } from '../../ship/install/index.ts';
import { isInRuntime } from '../../skill/workspace/index.ts';
import { CiReport, findDrift, ownSkills, pathsOf } from './ci-report.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author, choice, flag, type InputOf, own, text, texts } from './fields.ts';
import { ciFindings, ciLines, renderCiMarkdown, renderCiSarif } from './render-ci.ts';
import { githubCommands, gitlabReport } from './render-findings.ts';
import { hasNothingRun, isTestFailed } from './test-report.ts';

/** Runs all checks of a project. */
export const ci = defineCommand({
  fields: {
    paths: texts('Skills, or directories of skills, to scan and lint; without one, the whole project'),
    fail_on: choice(['error', 'warning'], 'With warning, also fail on scan cautions and lint warnings', {
      default: 'error',
    }),
    baseline: text('A file of reviewed findings that do not count'),
    trust_lock: own(flag("Accept the findings that the project's lock accepts")),
    sarif: text('Also write SARIF to this file'),
    summary: text('Also write a Markdown summary to this file'),
    author,
  },
  positionals: ['paths'],
  output: CiReport,
  effect: 'write',
  writes: ['named directory', 'cache'],
  touches: { skills: 'inspect' },
  about:
    'Compares installed skills with the lock, like `skc verify --strict`; scans every skill of the project; lints the skills written here, not the installed ones, and runs their evals as `skc test` does. All checks run even if one fails. The exit code is 0 if all pass, else 1. The summary is also appended to the file in GITHUB_STEP_SUMMARY.',
  examples: {
    'skc ci': 'check the whole project',
    'skc ci --fail-on warning': 'fail on warnings too',
    'skc ci --sarif skc.sarif --summary skc.md': 'write reports for code scanning and for people',
    'skc ci --author': 'run the evals of your own skills behind a quiz, too',
    'skc ci --format github': 'annotate a pull request',
    'skc ci --format gitlab': 'print a code quality report for GitLab',
  },
  async run(input, context) {
    const report = await check(input, context);
    const { cwd, env } = context.workspace;
    if (input.sarif !== undefined) writeFileAtomic(resolve(cwd, input.sarif), renderCiSarif(report));
    const summary = renderCiMarkdown(report);
    if (input.summary !== undefined) writeFileAtomic(resolve(cwd, input.summary), summary);
    if (env.GITHUB_STEP_SUMMARY) append(env.GITHUB_STEP_SUMMARY, summary);
    return report;
  },
  text: ciLines,
  formats: {
    sarif: renderCiSarif,
    github: (report) => githubCommands(ciFindings(report)),
    gitlab: (report) => gitlabReport(ciFindings(report)),
    markdown: renderCiMarkdown,
  },
  failed: ({ ok }) => !ok,
});

async function check(input: InputOf<typeof ci>, context: CommandContext): Promise<CiReport> {
  const { workspace, access } = context;
  const { fail_on: failOn } = input;
  const [{ scanPaths }, { lintPaths }] = await Promise.all([
    import('../../guard/scan/scan-paths.ts'),
    import('../../make/lint/lint-paths.ts'),
  ]);
  context.progress('comparing installed skills with the lock');
  const verify = await findDrift(context);
  const paths = pathsOf(input.paths, context);
  const scan = await scanPaths(
    {
      paths,
      minSeverity: 'low',
      failOn: failOn === 'error' ? 'danger' : 'caution',
      author: input.author,
      baseline: input.baseline === undefined ? undefined : resolve(workspace.cwd, input.baseline),
      reviewed: input.trust_lock ? acceptedInLock(workspace) : [],
      // Stubs that skc wrote are compared with the lock instead.
      skips: (dir) => isInRuntime(realPath(dir)),
    },
    context,
  );
  const { lint: settings } = await workspace.config();
  context.progress('checking the skills of this project');
  const own = await ownSkills(paths, context);
  const lint = await lintPaths(
    {
      paths: own,
      profile: settings.profile,
      settings: settings.rules,
      fix: false,
      force: false,
      maxWarnings: failOn === 'error' ? undefined : 0,
      author: input.author,
    },
    access,
  );
  const test = await testOwn(own, input, context);
  const isStrict = failOn === 'warning';
  const results = {
    verify: verify.drift.length > 0,
    scan: scan.danger > 0 || scan.problems.length > 0 || (isStrict && scan.caution > 0),
    lint: lint.errors > 0 || (isStrict && lint.warnings > 0),
    test: test !== null && isTestFailed(test),
  };
  const names = ['verify', 'scan', 'lint', 'test'] as const;
  const failed = names.filter((name) => results[name]);
  return { ok: failed.length === 0, fail_on: failOn, failed, verify, scan, lint, test };
}

/** Runs the evals of those skills that have some. */
async function testOwn(
  own: readonly string[],
  { author: isAuthor }: { readonly author: boolean },
  context: CommandContext,
): Promise<CiReport['test']> {
  if (own.length === 0) return null;
  context.progress('running the evals of this project');
  const { chooseTested, hasCases, runEvals } = await import('./run-evals.ts');
  const wish = { author: isAuthor, write: false, dry_run: false };
  const tested = await chooseTested({ skills: own, against: own, ...wish }, context);
  const skills = tested.skills.filter(({ read }) => hasCases(read()));
  if (skills.length === 0) return null;
  const report = await runEvals({ ...tested, skills }, { context, ...wish });
  // Tasks are for a model, which this command never asks.
  return report.skills.every(hasNothingRun) ? null : report;
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw writeError(path, error);
  }
}
