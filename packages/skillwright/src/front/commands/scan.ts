// skc scan: finds dangerous content in skills.

import { resolve } from 'node:path';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { type OpinionSource, ScanReport, ScanSeverity } from '../../guard/scan/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { author, choice, flag, integer, text, texts } from './fields.ts';
import { findingFormats } from './render-findings.ts';
import { scanFindings, scanLines } from './render-scan.ts';

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
  fields: {
    paths: texts('Skills by path or name, or directories of skills', { default: ['.'] }),
    min_severity: choice(ScanSeverity.options, 'Hide findings below this; verdicts stay the same', {
      default: 'low',
    }),
    fail_on: choice(['caution', 'danger'], 'The verdict from which the exit code is 1', {
      default: 'danger',
    }),
    baseline: text('A file of reviewed findings that do not count, such as .skillc/scan-baseline.json'),
    write_baseline: flag('Add all findings of this scan to the baseline, as reviewed by you'),
    model: text('Ask this model of your configuration about findings the rules are not sure of'),
    max_calls: integer('With --model: ask at most this often', { positive: true, max: 1000, default: 50 }),
    why: text('Why you accept the findings; saved in the baseline', { min: 1 }),
    author,
  },
  positionals: ['paths'],
  output: ScanReport,
  effect: 'write',
  writes: ['cache', 'named directory'],
  touches: { skills: 'inspect' },
  about:
    'Reads every file, hidden ones too, and decodes encoded or invisible text first. Signals add up: 15 points mean caution, 30 mean danger. Danger takes code that acts, or two kinds of evidence; words alone are caution. Files that are too large or unreadable are listed, and then the skill is not called clean. A clean result does not prove a skill safe.\nA baseline lists findings you reviewed, with who, why and when. An entry counts only while its file is unchanged, and only if you name the baseline; one in a project is never used on its own.\n`skc explain SCN201` explains a rule.',
  examples: {
    'skc scan my-skill': 'scan one skill',
    'skc scan ~/.claude/skills --min-severity high': 'scan all skills of an agent, show the worst',
    'skc scan skills --format sarif': 'for code scanning',
    'skc scan skills --baseline .skillc/scan-baseline.json --fail-on caution':
      'in CI: fail on anything nobody has reviewed',
  },
  async run(input, context) {
    const { scanPaths } = await import('../../guard/scan/scan-paths.ts');
    const { paths, min_severity: minSeverity, fail_on: failOn, author: byAuthor, why } = input;
    const { cwd, env } = context.workspace;
    if (input.write_baseline && (input.baseline === undefined || why === undefined))
      throw invalidOption('--write-baseline needs --baseline <file> and --why <text>');
    const by = env.USER ?? env.LOGNAME ?? env.USERNAME ?? 'unknown';
    const { openVerdicts } = await import('../../ship/install/verdicts.ts');
    const verdicts = openVerdicts(context.workspace);
    const scanned = await scanPaths(
      {
        paths,
        minSeverity,
        failOn,
        author: byAuthor,
        scanned: verdicts.note,
        opinion:
          input.model === undefined
            ? undefined
            : { source: await opinionOf(input.model, context), most: input.max_calls },
        baseline: input.baseline === undefined ? undefined : resolve(cwd, input.baseline),
        review: input.write_baseline ? { by, why: why!, at: context.now().toISOString() } : undefined,
      },
      context,
    );
    verdicts.save();
    return scanned;
  },
  text: scanLines,
  formats: findingFormats(scanFindings),
  failed: ({ danger, caution, fail_on: failOn, problems }) =>
    danger > 0 || problems.length > 0 || (failOn === 'caution' && caution > 0),
});
