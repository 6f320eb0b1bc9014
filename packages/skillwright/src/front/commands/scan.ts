// skc scan: whether skills do harm.

import { resolve } from 'node:path';
import * as z from 'zod';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { ScanReport, ScanSeverity } from '../../guard/scan/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { renderGithub, renderSarif, renderText } from './render-scan.ts';

/** Looks for harm in every file of skills. */
export const scan = defineCommand({
  input: z.strictObject({
    paths: z
      .array(z.string())
      .default(['.'])
      .describe('Skills by path or name, or directories that hold many'),
    min_severity: ScanSeverity.default('low').describe(
      'Leave out findings below this; verdicts stay the same',
    ),
    fail_on: z
      .enum(['caution', 'danger'])
      .default('danger')
      .describe('From which verdict on to end with status 1'),
    baseline: z
      .string()
      .optional()
      .describe('File of reviewed findings to leave out of the verdicts, such as .skillc/scan-baseline.json'),
    write_baseline: z
      .boolean()
      .default(false)
      .describe('Add every finding of this scan to the baseline, as reviewed by you'),
    why: z.string().min(1).optional().describe('Why the findings are acceptable; goes into the baseline'),
    author,
  }),
  positionals: ['paths'],
  output: ScanReport,
  effect: 'write',
  writes: ['named directory'],
  touches: { skills: 'inspect' },
  about:
    'Every file is looked at, hidden ones too, and what is encoded or invisible is decoded first. Weak signals add up: caution from 15\npoints, danger from 30, which ends with status 1. Danger takes an act, or two kinds of evidence: words alone are caution. What is left out, as too large or unreadable, is told, and the skill is not called\nclean then. A clean skill is one in which nothing was found, not one that is proven safe.\nA baseline holds reviewed findings, each with who, why and when, and only while the file it is in stays the same. It counts when\nyou name it: one that lies in a project is never used by itself.\nEvery rule has a page: `skc explain SCN201`.',
  examples: [
    { line: 'skc scan my-skill', note: 'one skill' },
    { line: 'skc scan ~/.claude/skills --min-severity high', note: 'all skills of an agent, the worst only' },
    { line: 'skc scan skills --format sarif', note: 'for code scanning' },
    {
      line: 'skc scan skills --baseline .skillc/scan-baseline.json --fail-on caution',
      note: 'in CI: fail on what nobody has reviewed',
    },
  ],
  async run(input, context) {
    const { scanPaths } = await import('../../guard/scan/scan-paths.ts');
    const { paths, min_severity: minSeverity, fail_on: failOn, author: byAuthor, why } = input;
    const { cwd, env } = context.workspace;
    if (input.write_baseline && (input.baseline === undefined || why === undefined))
      throw invalidOption('--write-baseline needs --baseline <file> and --why <text>');
    const by = env.USER ?? env.LOGNAME ?? env.USERNAME ?? 'unknown';
    return scanPaths(
      {
        paths,
        minSeverity,
        failOn,
        author: byAuthor,
        baseline: input.baseline === undefined ? undefined : resolve(cwd, input.baseline),
        review: input.write_baseline ? { by, why: why!, at: context.now().toISOString() } : undefined,
      },
      context,
    );
  },
  text: renderText,
  formats: { sarif: renderSarif, github: renderGithub },
  failed: ({ danger, caution, fail_on: failOn, problems }) =>
    danger > 0 || problems.length > 0 || (failOn === 'caution' && caution > 0),
});
