// skc list: the skills of the stores and how they stand.

import * as z from 'zod';
import { attempt, makeVisible } from '../../base/diagnostics/index.ts';
import { compileGlob } from '../../base/files/index.ts';
import { readInvocation, readSkillFields } from '../../skill/format/index.ts';
import { defineCommand } from './define-command.ts';

const Skill = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user']),
  status: z.enum(['normal', 'not-built', 'obsolete']),
  source_path: z.string(),
  runtime_path: z.string().nullable(),
  form: z.enum(['stub', 'files', 'whole']).nullable().describe('How it goes to agents'),
  why: z.string().nullable().describe('Why in this form'),
  mode: z.enum(['inline', 'fork']).describe('fork: it runs in a conversation of its own'),
  agent: z.string().nullable().describe('The kind of agent for a fork'),
  is_mode: z.boolean().describe('Whether it is one of the modes, which stay on after it'),
});

/** How the skill in a directory is carried out; one that cannot be read, inline. */
function howInvoked(dir: string) {
  const { mode, agent, isMode } = readInvocation(attempt(() => readSkillFields(dir)) ?? {});
  return { mode, agent, is_mode: isMode };
}

/** Lists the skills that skc manages. */
export const list = defineCommand({
  input: z.strictObject({
    scope: z.enum(['project', 'user']).optional().describe('Skills of this store alone'),
    status: z.enum(['normal', 'not-built', 'obsolete']).optional().describe('Skills that stand so alone'),
    pattern: z.string().min(1).optional().describe('Names that match, such as pdf-*'),
    limit: z.number().int().positive().default(1000).describe('Most skills to list'),
    check_obsolete: z.boolean().default(false).describe('Look whether sources changed since they were built'),
  }),
  positionals: [],
  output: z.object({
    skills: z.array(Skill),
    total: z.number().int().describe('Skills there are'),
    filtered: z.number().int().describe('Skills that match'),
  }),
  effect: 'read',
  writes: [],
  touches: { skills: 'list' },
  examples: [
    { line: 'skc list', note: 'everything' },
    { line: 'skc list --status obsolete', note: 'what should be built again' },
  ],
  async run(input, context) {
    const { listManagedSkills } = await import('../../make/compile/list-skills.ts');
    const { workspace, access } = context;
    const checkObsolete = input.check_obsolete || input.status === 'obsolete';
    const all: z.output<typeof Skill>[] = [];
    for (const skill of listManagedSkills(workspace, { checkObsolete }))
      if (await access.isVisible(skill.source_path)) all.push({ ...skill, ...howInvoked(skill.source_path) });

    const matches = input.pattern === undefined ? () => true : compileGlob(input.pattern);
    const wanted = all.filter(
      ({ name, scope, status }) =>
        (input.scope ?? scope) === scope && (input.status ?? status) === status && matches(name),
    );
    return { skills: wanted.slice(0, input.limit), total: all.length, filtered: wanted.length };
  },
  text({ skills, total, filtered }, { paint }) {
    if (total === 0) return "no skills yet; 'skc init <name>' makes one\n";
    if (filtered === 0) return `no skill matches; there are ${total}\n`;
    const rows = [
      ['NAME', 'SCOPE', 'STATUS', 'FORM', 'SOURCE', 'WHY THIS FORM'],
      ...skills.map((skill) => [
        skill.name,
        skill.scope,
        skill.status,
        skill.form ?? '-',
        skill.source_path,
        makeVisible(skill.why ?? ''),
      ]),
    ];
    const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
    const lines = rows.map((row, index) => {
      const line = row
        .map((text, column) => (column < 5 ? text.padEnd(widths[column]!) : text))
        .join('  ')
        .trimEnd();
      return index === 0 ? paint.faint(line) : line;
    });
    const rest = filtered - skills.length;
    return `${[...lines, ...(rest > 0 ? [`... (${rest} more)`] : [])].join('\n')}\n`;
  },
});
