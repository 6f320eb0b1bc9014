// skc lint: finds mistakes in skills.

import { LintReport } from '../../make/lint/index.ts';
import { ProfileName } from '../../skill/format/index.ts';
import { defineCommand } from './define-command.ts';
import { author, choice, flag, integer, own, texts } from './fields.ts';
import { findingFormats } from './render-findings.ts';
import { lintFindings, lintLines, renderAgent } from './render-lint.ts';

/** Checks skills against rules. */
export const lint = defineCommand({
  fields: {
    paths: texts('Skills by path or name, or directories of skills', { default: ['.'] }),
    profile: choice(ProfileName.options, 'The rules to check against; without it lint.profile, else spec'),
    fix: own(flag('Fix what can be fixed safely')),
    dry_run: flag('With --fix: change nothing'),
    diff: flag('With --fix: show a diff'),
    force: flag('Check compiled stubs too'),
    max_warnings: integer('Fail if there are more warnings than this', { min: 0 }),
    author,
  },
  positionals: ['paths'],
  aliases: { skill: 'paths' },
  output: LintReport,
  effect: 'write',
  writes: ['cache'],
  belongsTo: { diff: ['fix'], dry_run: ['fix'] },
  touches: { skills: 'inspect' },
  about:
    '`skc explain SKL107` explains a rule. Configure rules in `[lint.rules]`, or turn them off in a file with `<!-- skc-disable SKL201 -->`, `<!-- skc-enable SKL201 -->` and `<!-- skc-disable-line SKL302 -->`.\nThe last lines sum up each skill: its score (100, minus 20 for each rule with errors and 5 for each rule with warnings) and what SKILL.md costs in tokens.',
  examples: {
    'skc lint': 'check every skill below this directory',
    'skc lint my-skill --fix': 'fix one skill where that is safe',
    'skc lint my-skill --fix --diff --dry-run': 'see what --fix would change',
    'skc lint skills --format sarif': 'for code scanning',
    'skc lint skills --profile upload': 'check what upload forms accept',
  },
  async run(input, context) {
    const { lintPaths } = await import('../../make/lint/lint-paths.ts');
    const config = await context.workspace.config();
    return lintPaths(
      {
        paths: input.paths,
        profile: input.profile ?? config.lint.profile,
        settings: config.lint.rules,
        fix: input.fix,
        dryRun: input.dry_run,
        diff: input.diff,
        force: input.force,
        maxWarnings: input.max_warnings,
        author: input.author,
        progress: (text) => context.progress(text),
      },
      context.access,
    );
  },
  text: lintLines,
  formats: { ...findingFormats(lintFindings), agent: renderAgent },
  failed: (report) =>
    report.errors > 0 || (report.max_warnings !== null && report.warnings > report.max_warnings),
});
