// skc stats: what was read of a skill, and what was not.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { usageGroups } from '../../read/usage/index.ts';
import { author } from './author-flag.ts';
import { defineCommand } from './define-command.ts';
import { renderStats } from './render-stats.ts';
import { statistics } from './statistics.ts';

/** Adds up the access log. */
export const stats = defineCommand({
  input: z.strictObject({
    skill: z.string().optional().describe('A skill by name or path'),
    all: z
      .boolean()
      .default(false)
      .describe('Every skill with a runtime directory, of the project and the user'),
    group_by: z
      .string()
      .default('summary')
      .describe(`One of ${usageGroups.join(', ')}`),
    since: z.string().optional().describe('Accesses from this time on: RFC 3339 or YYYY-MM-DD'),
    until: z.string().optional().describe('Accesses up to this time, or to the end of this day'),
    project: z.array(z.string()).default([]).describe('Accesses from inside this directory'),
    prune: z.boolean().default(false).describe('Delete the accesses before --before from the log'),
    before: z.string().optional().describe('Where --prune stops: RFC 3339 or YYYY-MM-DD'),
    author,
  }),
  positionals: ['skill'],
  short: { group_by: 'g', all: 'a', project: 'p' },
  get output() {
    return statistics();
  },
  effect: 'destructive',
  writes: [],
  usersOwn: { prune: false, before: undefined, author: false },
  touches: { skill: 'skill', operation: 'inspect' },
  about:
    'Sections that were never read are listed with 0. Days are days in UTC. Only --prune removes anything.',
  examples: [
    { line: 'skc stats pdf-forms', note: 'accesses, errors, tokens served and saved' },
    { line: 'skc stats pdf-forms --group-by sections', note: 'which sections are read, and which never' },
    { line: 'skc stats pdf-forms -g search --since 2026-01-01', note: 'what agents looked for' },
    { line: 'skc stats pdf-forms -g quiz', note: 'which questions agents fail' },
    { line: 'skc stats --all', note: 'which skills are used most' },
    { line: 'skc stats --all --prune --before 2026-01-01', note: 'forget what is older' },
  ],
  async run(input, context) {
    checkUse(input);
    const [{ collectPruned, collectUsage, skillsMeant }, { readTime, readUsageFilter }, { readUsageGroup }] =
      await Promise.all([
        import('./collect-stats.ts'),
        import('../../read/usage/usage-filter.ts'),
        import('../../read/usage/usage-group.ts'),
      ]);
    const group = readUsageGroup(input.group_by);
    const filter = readUsageFilter(input, context.workspace.cwd);
    const before = input.before === undefined ? undefined : readTime(input.before, 'start');
    const skills = await skillsMeant(context, input.author);
    return before === undefined
      ? collectUsage(skills, { group, filter, all: input.all })
      : collectPruned(skills, { before, all: input.all });
  },
  text: renderStats,
});

/** E100 for flags that do not go together. */
function checkUse(input: {
  skill?: string | undefined;
  all: boolean;
  prune: boolean;
  before?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  project: string[];
}): void {
  const { skill, all, prune, before, since, until, project } = input;
  const refuse = (why: string): never => {
    throw SkillwrightError.of('E100', { why });
  };
  if (skill === undefined && !all) refuse('name a skill, or use --all');
  if (skill !== undefined && all) refuse('--all takes no skill');
  if (before !== undefined && !prune) refuse('--before belongs to --prune');
  if (!prune) return;
  if (before === undefined) refuse('--prune needs --before');
  if (since !== undefined || until !== undefined || project.length > 0)
    refuse('--prune takes no filter but --before');
}
