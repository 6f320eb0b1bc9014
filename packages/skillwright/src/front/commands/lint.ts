// skc lint: finds mistakes in skills.

import * as z from 'zod';
import { LintReport } from '../../make/lint/index.ts';
import { ProfileName } from '../../skill/format/index.ts';
import { defineCommand } from './define-command.ts';
import { author } from './field-schema.ts';
import { findingFormats } from './render-findings.ts';
import { lintFindings, renderAgent, renderLint } from './render-lint.ts';

/** Checks skills against rules. */
export const lint = defineCommand({
  input: z.strictObject({
    paths: z.array(z.string()).default(['.']).describe('Skills by path or name, or directories of skills'),
    profile: ProfileName.optional().describe(
      'The rules to check against; without it lint.profile, else spec',
    ),
    fix: z.boolean().default(false).describe('Fix what can be fixed safely'),
    dry_run: z.boolean().default(false).describe('With --fix: change nothing'),
    diff: z.boolean().default(false).describe('With --fix: show a diff'),
    force: z.boolean().default(false).describe('Check compiled stubs too'),
    max_warnings: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe('Fail if there are more warnings than this'),
    author,
  }),
  positionals: ['paths'],
  aliases: { skill: 'paths' },
  output: LintReport,
  effect: 'write',
  writes: ['cache'],
  usersOwn: { fix: false, author: false },
  belongsTo: { diff: ['fix'], dry_run: ['fix'] },
  touches: { skills: 'inspect' },
  about:
    '`skc explain SKL107` explains a rule. Configure rules in `[lint.rules]`, or turn them off in a file with `<!-- skc-disable SKL201 -->`, `<!-- skc-enable SKL201 -->` and `<!-- skc-disable-line SKL302 -->`.\nThe last lines sum up each skill: its score (100, minus 20 for each rule with errors and 5 for each rule with warnings), what SKILL.md costs in tokens, and what the skill can do according to its frontmatter and scripts.',
  examples: [
    { line: 'skc lint', note: 'check every skill below this directory' },
    { line: 'skc lint my-skill --fix', note: 'fix one skill where that is safe' },
    { line: 'skc lint my-skill --fix --diff --dry-run', note: 'see what --fix would change' },
    { line: 'skc lint skills --format sarif', note: 'for code scanning' },
    { line: 'skc lint skills --profile upload', note: 'check what upload forms accept' },
  ],
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
  text: renderLint,
  formats: { ...findingFormats(lintFindings), agent: renderAgent },
  failed: (report) =>
    report.errors > 0 || (report.max_warnings !== null && report.warnings > report.max_warnings),
});
