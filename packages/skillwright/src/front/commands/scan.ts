// skc scan: whether skills do harm.

import * as z from 'zod';
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
    author,
  }),
  positionals: ['paths'],
  output: ScanReport,
  effect: 'read',
  writes: [],
  touches: { skills: 'inspect' },
  about:
    'Every file is looked at, hidden ones too, and what is encoded or invisible is decoded first. Weak signals add up: caution from 15\npoints, danger from 30, which ends with status 1. What is left out, as too large or unreadable, is told, and the skill is not called\nclean then. A clean skill is one in which nothing was found, not one that is proven safe.\nEvery rule has a page: `skc explain SCN201`.',
  examples: [
    { line: 'skc scan my-skill', note: 'one skill' },
    { line: 'skc scan ~/.claude/skills --min-severity high', note: 'all skills of an agent, the worst only' },
    { line: 'skc scan skills --format sarif', note: 'for code scanning' },
  ],
  async run(input, context) {
    const { scanPaths } = await import('../../guard/scan/scan-paths.ts');
    const { paths, min_severity: minSeverity, author: byAuthor } = input;
    return scanPaths({ paths, minSeverity, author: byAuthor }, context);
  },
  text: renderText,
  formats: { sarif: renderSarif, github: renderGithub },
  failed: ({ danger, problems }) => danger > 0 || problems.length > 0,
});
