// skc lint: what is wrong with skills.

import * as z from 'zod';
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
  short: { profile: 'p' },
  output: LintReport,
  effect: 'write',
  writes: [],
  usersOwn: { fix: false, author: false },
  touches: { skills: 'inspect' },
  about:
    'Every rule has a page: `skc explain SKL107`. Rules are set in the configuration (`[lint.rules]`) and switched off in a file\nwith `<!-- skc-disable SKL201 -->`, `<!-- skc-enable SKL201 -->` and `<!-- skc-disable-line SKL302 -->`.',
  examples: [
    { line: 'skc lint', note: 'every skill below the working directory' },
    { line: 'skc lint my-skill --fix', note: 'one skill, corrected where that is safe' },
    { line: 'skc lint skills --format sarif', note: 'for code scanning' },
    { line: 'skc lint skills --profile upload', note: 'what upload forms accept' },
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
