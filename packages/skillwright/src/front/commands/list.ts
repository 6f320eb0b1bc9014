// skc list: the skills of the stores and their state.

import * as z from 'zod';
import { attempt, catchCoded, oneLine } from '../../base/diagnostics/index.ts';
import { compileGlob } from '../../base/files/index.ts';
import type { ManagedSkill } from '../../make/compile/index.ts';
import { readInvocation, readSkillFields, readSkillText } from '../../skill/format/index.ts';
import { defineCommand } from './define-command.ts';
import { fitTable } from './fit-table.ts';
import { InstallOutput, showOrigin, versionLabel } from './install-output.ts';

const Skill = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user']),
  status: z.enum(['normal', 'not-built', 'obsolete']),
  source_path: z.string(),
  runtime_path: z.string().nullable(),
  form: z.enum(['stub', 'files', 'whole']).nullable().describe('The form it is deployed in'),
  why: z.string().nullable().describe('Why it has this form'),
  tokens: z.number().int().nullable().describe('Tokens of SKILL.md; null when it is gone'),
  last_used: z.string().nullable().describe('When any part of it was last read'),
  install: InstallOutput.nullable().describe('How it was installed; null for a skill of your own'),
  mode: z.enum(['inline', 'fork']).describe('fork: it runs in a separate conversation'),
  agent: z.string().nullable().describe('The kind of agent for a fork'),
  is_mode: z.boolean().describe('Whether it is a mode, which stays on afterwards'),
});

/** How the skill in a directory is invoked; inline if it cannot be read. */
function howInvoked(dir: string) {
  const { mode, agent, isMode } = readInvocation(attempt(() => readSkillFields(dir)) ?? {});
  return { mode, agent, is_mode: isMode };
}

/** Lists the skills that skc manages. */
export const list = defineCommand({
  input: z.strictObject({
    scope: z
      .enum(['project', 'user'])
      .optional()
      .describe('List the skills of the project only, or yours only'),
    status: z.enum(['normal', 'not-built', 'obsolete']).optional().describe('List only skills in this state'),
    pattern: z.string().min(1).optional().describe('List only names that match, such as pdf-*'),
    limit: z.number().int().positive().default(1000).describe('At most this many skills'),
    check_updates: z
      .boolean()
      .default(false)
      .describe('First ask the sources of installed skills for newer versions'),
    check_obsolete: z.boolean().default(false).describe('Check whether sources changed since the last build'),
  }),
  positionals: [],
  output: z.object({
    skills: z.array(Skill),
    total: z.number().int().describe('All skills'),
    filtered: z.number().int().describe('Skills that match'),
  }),
  effect: 'read',
  writes: [],
  usersOwn: { check_updates: false },
  touches: { skills: 'list' },
  about:
    "Uses no network without --check-updates: newer versions and notices come from the last 'skc outdated'. 'skc info <skill>' shows more about one skill.",
  examples: [
    { line: 'skc list', note: 'list all of them' },
    { line: 'skc list --status obsolete', note: 'list what needs a new build' },
  ],
  async run(input, context) {
    const { listManagedSkills } = await import('../../make/compile/list-skills.ts');
    const { workspace, access } = context;
    if (input.check_updates) {
      const { listOutdated } = await import('../../ship/install/list-outdated.ts');
      await listOutdated({ skills: [], scope: input.scope, offline: false }, context);
    }
    const checkObsolete = input.check_obsolete || input.status === 'obsolete';
    const all: ManagedSkill[] = [];
    for (const skill of listManagedSkills(workspace, { checkObsolete }))
      if (await access.isVisible(skill.source_path)) all.push(skill);

    const matches = input.pattern === undefined ? () => true : compileGlob(input.pattern);
    const wanted = all.filter(
      ({ name, scope, status }) =>
        (input.scope ?? scope) === scope && (input.status ?? status) === status && matches(name),
    );
    const [{ readInstallFacts }, { lastUse }, { estimateTokens }] = await Promise.all([
      import('../../ship/install/install-facts.ts'),
      import('../../read/usage/read-accesses.ts'),
      import('../../base/tokens/index.ts'),
    ]);
    const factsOf = readInstallFacts(workspace);
    const skills = wanted.slice(0, input.limit).map((skill) => {
      const { scope, source_path, runtime_path, name } = skill;
      const installed = factsOf(scope, source_path, name);
      const text = textAt(source_path);
      return {
        ...skill,
        ...howInvoked(source_path),
        tokens: text === undefined ? null : estimateTokens(text),
        last_used: runtime_path === null ? null : lastUse({ runtime: runtime_path, home: workspace.home }),
        install: installed?.facts ?? null,
      };
    });
    return { skills, total: all.length, filtered: wanted.length };
  },
  text({ skills, total, filtered }, view) {
    if (total === 0) return "no skills yet; 'skc init <name>' creates one\n";
    if (filtered === 0) return `no skill matches; there are ${total}\n`;
    const titles = [
      'NAME',
      'SCOPE',
      'STATUS',
      'FORM',
      'VERSION',
      'AGENTS',
      'TOKENS',
      'SCAN',
      'USED',
      'NOTES',
      'SOURCE',
    ];
    const rows = skills.map((skill) => [
      skill.name,
      skill.scope,
      skill.status,
      skill.form ?? '-',
      skill.install === null ? '-' : oneLine(versionLabel(skill.install)),
      oneLine(skill.install?.agents.map(({ agent }) => agent).join(',') || '-'),
      skill.tokens === null ? '-' : String(skill.tokens),
      skill.install?.verdict ?? '-',
      skill.last_used?.slice(0, 10) ?? '-',
      oneLine(notesOf(skill)) || '-',
      oneLine(skill.install === null ? skill.source_path : showOrigin(skill.install)),
    ]);
    // Empty columns are left out.
    const used = titles.map((_, at) => rows.some((row) => row[at] !== '-'));
    const lines = fitTable(
      titles.filter((_, at) => used[at]).map((title) => ({ title, numeric: title === 'TOKENS' })),
      rows.map((row) => row.filter((_, at) => used[at])),
      { ...view, leaves: ['USED', 'TOKENS', 'FORM', 'SCOPE', 'SCAN', 'SOURCE', 'AGENTS', 'VERSION'] },
    );
    const rest = filtered - skills.length;
    return `${[...lines, ...(rest > 0 ? [`... (${rest} more)`] : [])].join('\n')}\n`;
  },
});

/** The text of a SKILL.md; undefined when it cannot be read. */
function textAt(dir: string): string | undefined {
  return catchCoded(
    () => {
      const content = readSkillText(dir);
      return content.problem === undefined ? content.text : undefined;
    },
    () => undefined,
  );
}

/** Short notes for the table: notices, pin, update, edits. */
function notesOf({ install }: z.output<typeof Skill>): string {
  if (install === null) return '';
  const { pinned, update, edits, notices } = install;
  return [
    ...notices.map(({ kind }) => kind),
    ...(pinned ? ['pinned'] : []),
    ...(update === null ? [] : [`${update.wanted} available`]),
    ...(edits.length === 0 ? [] : ['edited']),
  ].join(', ');
}
