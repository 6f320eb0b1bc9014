// skc scan: finds dangerous content in skills.

import { resolve } from 'node:path';
import * as z from 'zod';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { type OpinionSource, ScanReport, ScanSeverity } from '../../guard/scan/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author } from './field-schema.ts';
import { findingFormats } from './render-findings.ts';
import { renderScan, scanFindings } from './render-scan.ts';

/** A model of the configuration as a second reader. Its keys never appear in what it says. */
async function opinionOf(name: string, { workspace, signal }: CommandContext): Promise<OpinionSource> {
  const { modelKeys, openModel, withoutKeys } = await import('../../host/models/index.ts');
  const source = { config: await workspace.config(), env: workspace.env };
  const { hide } = modelKeys(source);
  const model = withoutKeys(openModel(name, source), hide);
  return {
    name,
    async ask({ system, text }) {
      const turns = [{ role: 'user' as const, text: hide(text) }];
      return (await model.ask({ system, turns, signal })).text;
    },
  };
}

/** Scans every file of skills. */
export const scan = defineCommand({
  input: z.strictObject({
    paths: z.array(z.string()).default(['.']).describe('Skills by path or name, or directories of skills'),
    min_severity: ScanSeverity.default('low').describe('Hide findings below this; verdicts stay the same'),
    fail_on: z
      .enum(['caution', 'danger'])
      .default('danger')
      .describe('The verdict from which the exit code is 1'),
    baseline: z
      .string()
      .optional()
      .describe('A file of reviewed findings that do not count, such as .skillc/scan-baseline.json'),
    write_baseline: z
      .boolean()
      .default(false)
      .describe('Add all findings of this scan to the baseline, as reviewed by you'),
    model: z
      .string()
      .optional()
      .describe('Ask this model of your configuration about findings the rules are not sure of'),
    max_calls: z
      .number()
      .int()
      .positive()
      .max(1000)
      .default(50)
      .describe('With --model: ask at most this often'),
    why: z.string().min(1).optional().describe('Why you accept the findings; saved in the baseline'),
    author,
  }),
  positionals: ['paths'],
  output: ScanReport,
  effect: 'write',
  writes: ['named directory'],
  touches: { skills: 'inspect' },
  about:
    'Reads every file, hidden ones too, and decodes encoded or invisible text first. Signals add up: 15 points mean caution, 30 mean danger. Danger takes code that acts, or two kinds of evidence; words alone are caution. Files that are too large or unreadable are listed, and then the skill is not called clean. A clean result does not prove a skill safe.\nA baseline lists findings you reviewed, with who, why and when. An entry counts only while its file is unchanged, and only if you name the baseline; one in a project is never used on its own.\n`skc explain SCN201` explains a rule.',
  examples: [
    { line: 'skc scan my-skill', note: 'scan one skill' },
    {
      line: 'skc scan ~/.claude/skills --min-severity high',
      note: 'scan all skills of an agent, show the worst',
    },
    { line: 'skc scan skills --format sarif', note: 'for code scanning' },
    {
      line: 'skc scan skills --baseline .skillc/scan-baseline.json --fail-on caution',
      note: 'in CI: fail on anything nobody has reviewed',
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
        opinion:
          input.model === undefined
            ? undefined
            : { source: await opinionOf(input.model, context), most: input.max_calls },
        baseline: input.baseline === undefined ? undefined : resolve(cwd, input.baseline),
        review: input.write_baseline ? { by, why: why!, at: context.now().toISOString() } : undefined,
      },
      context,
    );
  },
  text: renderScan,
  formats: findingFormats(scanFindings),
  failed: ({ danger, caution, fail_on: failOn, problems }) =>
    danger > 0 || problems.length > 0 || (failOn === 'caution' && caution > 0),
});
