// skc lint: what is wrong with skills.

import * as z from 'zod';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { LintReport } from '../../make/lint/index.ts';
import { ProfileName } from '../../skill/format/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { renderAgent, renderGithub, renderSarif, renderText } from './render-lint.ts';

/** Judges skills by rules. */
export const lint = defineCommand({
  input: z.strictObject({
    paths: z
      .array(z.string())
      .default(['.'])
      .describe('Skills by path or name, or directories that hold many'),
    profile: ProfileName.optional().describe(
      'What to judge by; the configuration, else spec, decides otherwise',
    ),
    fix: z.boolean().default(false).describe('Correct what can be corrected safely'),
    dry_run: z.boolean().default(false).describe('With fix: change nothing'),
    diff: z.boolean().default(false).describe('With fix: show a diff'),
    force: z.boolean().default(false).describe('Judge compiled stubs too'),
    max_warnings: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe('Fail when there are more warnings than this'),
    author,
  }),
  positionals: ['paths'],
  aliases: { skill: 'paths' },
  output: LintReport,
  effect: 'write',
  writes: [],
  usersOwn: { fix: false, author: false },
  touches: { skills: 'inspect' },
  about:
    'Every rule has a page: `skc explain SKL107`. Rules are set in the configuration (`[lint.rules]`) and switched off in a file\nwith `<!-- skc-disable SKL201 -->`, `<!-- skc-enable SKL201 -->` and `<!-- skc-disable-line SKL302 -->`.\n\nThe last lines give each skill in short: its score (100, less 20 for each rule with errors and 5 for each rule with warnings), what\nSKILL.md costs in tokens, and what the skill can do, as its frontmatter and its scripts say.',
  examples: [
    { line: 'skc lint', note: 'every skill below the working directory' },
    { line: 'skc lint my-skill --fix', note: 'one skill, corrected where that is safe' },
    { line: 'skc lint my-skill --fix --diff --dry-run', note: 'what --fix would change' },
    { line: 'skc lint skills --format sarif', note: 'for code scanning' },
    { line: 'skc lint skills --profile upload', note: 'what upload forms accept' },
  ],
  async run(input, context) {
    if (!input.fix && (input.dry_run || input.diff))
      throw invalidOption(`--${input.diff ? 'diff' : 'dry-run'} belongs to --fix`);
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
      },
      context.access,
    );
  },
  text: renderText,
  formats: { sarif: renderSarif, github: renderGithub, agent: renderAgent },
  failed: (report) =>
    report.errors > 0 || (report.max_warnings !== null && report.warnings > report.max_warnings),
});
