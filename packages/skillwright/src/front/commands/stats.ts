// skc stats: shows which parts of skills were read.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { usageGroups } from '../../read/usage/index.ts';
import { defineCommand } from './define-command.ts';
import { author, flag, integer, own, text, texts } from './fields.ts';
import { statsLines } from './render-stats.ts';
import { type SkillRows, type Statistics, statistics } from './statistics.ts';

/** Adds up the access log. */
export const stats = defineCommand({
  fields: {
    skill: text('A skill by name or path; without one, all skills'),
    all: flag('Every built skill of the project and yours'),
    group_by: text(`How to add up: ${usageGroups.join(', ')}`, { default: 'summary' }),
    limit: integer('At most this many rows per skill', { positive: true }),
    since: text('Count from this time on: 7d, 12h, 2w, YYYY-MM-DD or RFC 3339'),
    until: text('Count up to this time, or to the end of this day'),
    project: texts('Count accesses from inside this directory only'),
    without_author: flag("Leave out the author's own reads: with --author, or from inside the skill"),
    prune: own(flag('Delete the accesses before --before from the log')),
    before: own(text('Where --prune stops: 90d, YYYY-MM-DD or RFC 3339')),
    dry_run: own(flag('Count what --prune would delete, and delete nothing')),
    author,
  },
  positionals: ['skill'],
  get output() {
    return statistics();
  },
  effect: 'destructive',
  writes: [],
  belongsTo: { before: ['prune'] },
  touches: { skill: 'skill', operation: 'inspect' },
  about:
    'Without a skill it ranks all skills. Sections that nobody read are listed with 0. Days are days in UTC. Only --prune deletes anything.',
  examples: {
    'skc stats': 'all skills, the most used first',
    'skc stats pdf-forms': 'one skill: accesses, errors, tokens',
    'skc stats pdf-forms --group-by sections': 'which sections agents read',
    'skc stats pdf-forms -b search --since 7d': 'what they looked for last week',
    'skc stats pdf-forms -b run --without-author': 'one row for each run of an agent',
    'skc stats --format csv > usage.csv': 'for a spreadsheet',
    'skc stats --all --prune --before 90d': 'forget what is older',
  },
  async run(input, context) {
    checkUse(input);
    const [{ collectPruned, collectUsage, skillsMeant }, { readTime, readUsageFilter }, { readUsageGroup }] =
      await Promise.all([
        import('./collect-stats.ts'),
        import('../../read/usage/usage-filter.ts'),
        import('../../read/usage/usage-group.ts'),
      ]);
    const group = readUsageGroup(input.group_by);
    const now = context.now();
    const filter = readUsageFilter(input, { cwd: context.workspace.cwd, now });
    const before = input.before === undefined ? undefined : readTime(input.before, { edge: 'start', now });
    const all = input.skill === undefined;
    const skills = await skillsMeant(context, input.author);
    return before === undefined
      ? collectUsage(skills, { group, filter, all, limit: input.limit })
      : collectPruned(skills, { before, all, dryRun: input.dry_run });
  },
  text: statsLines,
  formats: { csv: renderStatsCsv },
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
  if (skill !== undefined && all) refuse('--all takes no skill');
  if (!prune) return;
  if (skill === undefined && !all) refuse('--prune needs a skill, or --all');
  if (before === undefined) refuse('--prune needs --before');
  if (since !== undefined || until !== undefined || project.length > 0)
    refuse('--prune takes no filter but --before');
}

// Statistics for a spreadsheet: one line for each row, with the skill in front.

/** The same rows as the JSON. */
function renderStatsCsv({ skill, skill_path, query, data }: Statistics): string {
  const rows = (Array.isArray(data) ? data : [data]) as readonly object[];
  if (skill !== null) return renderCsv(rows.map((row) => ({ skill, skill_path, ...row })));
  if (query === 'summary' || query === 'prune') return renderCsv(rows as Record<string, unknown>[]);
  return renderCsv(
    (rows as SkillRows[]).flatMap(({ skill, skill_path, data }) =>
      data.map((row) => ({ skill, skill_path, ...row })),
    ),
  );
}

// Rows as comma-separated values.

/** The rows under a header line; ends with a newline. A missing field is an empty cell. */
function renderCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\n`).join('');
}

/** Puts an apostrophe before text that a spreadsheet would read as a formula. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = String(value).replace(/^(?=[=+\-@\t\r\n])/, "'");
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
