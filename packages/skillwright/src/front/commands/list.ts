// skc list: the skills skc manages, or every skill an agent would see, with their state and who sees them.

import * as z from 'zod';
import { attempt, formatCount, oneLine } from '../../base/diagnostics/index.ts';
import { compareBytes, compileGlob, realPath } from '../../base/files/index.ts';
import type { ManagedSkill } from '../../make/compile/index.ts';
import { findRuntimeOf } from '../../read/access/index.ts';
import { compareScopes, type SkillScope } from '../../read/catalog/index.ts';
import { InstallFacts, showOrigin, versionLabel } from '../../ship/results/index.ts';
import { readInvocation, readSkillFields, readSkillText } from '../../skill/format/index.ts';
import { scopeOf } from '../../skill/skill/index.ts';
import { catalogFields, openSeen, reportNames } from './catalog-input.ts';
import { defineCommand, type View } from './define-command.ts';
import { fitTable } from './render-table.ts';
import { Paths, pathLines, searchPaths } from './roots.ts';

const Skill = z.object({
  name: z.string(),
  scope: z.enum(['project', 'user', 'bundled']),
  status: z
    .enum(['normal', 'not-built', 'obsolete', 'unmanaged'])
    .describe('unmanaged: skc did not put it there'),
  source_path: z.string(),
  runtime_path: z.string().nullable(),
  form: z.enum(['stub', 'files', 'whole']).nullable().describe('The form it is deployed in'),
  why: z.string().nullable().describe('Why it has this form'),
  seen_by: z.array(z.string()).describe('The agents used here that list it'),
  state: z.enum(['on', 'off', 'unavailable']).describe('Whether skc offers it to agents'),
  tokens: z.number().int().nullable().describe('Tokens of SKILL.md; null when it is gone'),
  last_used: z.string().nullable().describe('When any part of it was last read'),
  install: InstallFacts.nullable().describe('How it was installed; null for a skill of your own'),
  mode: z.enum(['inline', 'fork']).describe('fork: it runs in a separate conversation'),
  agent: z.string().nullable().describe('The kind of agent for a fork'),
  is_mode: z.boolean().describe('Whether it is a mode, which stays on afterwards'),
});

/** A skill before its facts are read. */
type Listed = Omit<ManagedSkill, 'scope' | 'status'> & {
  readonly scope: SkillScope;
  readonly status: z.output<typeof Skill>['status'];
};

/** Lists skills. */
export const list = defineCommand({
  input: z.strictObject({
    all: z.boolean().default(false).describe('Every skill agents see, not only those of skc'),
    paths: z.boolean().default(false).describe('Also show the search paths, and what each contains'),
    scope: z.enum(['project', 'user']).optional().describe('Only the project, or only yours'),
    status: z.enum(['normal', 'not-built', 'obsolete']).optional().describe('Only this state'),
    pattern: z.string().min(1).optional().describe('Only names like pdf-*'),
    limit: z.number().int().positive().default(1000).describe('At most this many'),
    check_updates: z
      .boolean()
      .default(false)
      .describe('First ask the sources of installed skills for newer versions'),
    check_obsolete: z.boolean().default(false).describe('Compare sources with the last build'),
    ...catalogFields,
  }),
  positionals: [],
  output: z.object({
    skills: z.array(Skill),
    total: z.number().int().describe('All skills'),
    filtered: z.number().int().describe('Skills that match'),
    others: z.number().int().describe('Skills that agents see and skc does not manage; 0 with --all'),
    paths: Paths.optional().describe('With --paths'),
  }),
  effect: 'read',
  writes: ['cache'],
  usersOwn: { check_updates: false },
  belongsTo: { agents: ['all', 'paths'], node_modules: ['all', 'paths'] },
  touches: { skills: 'list' },
  about:
    "Without --all, it lists the skills that skc manages: those in .skillc/skills, and those it compiled or installed. AGENTS are those used on this machine that see the skill; 'skc info <skill>' says why others do not. Uses no network without --check-updates: newer versions and notices come from the last 'skc outdated'.\nWith --paths it shows where skc looks for skills: from the root of the project down to the working directory, then in your home directory. Use this when a skill does not show up.",
  examples: [
    { line: 'skc list', note: 'list the skills skc manages' },
    { line: 'skc list --all', note: 'list every skill agents see, and who sees it' },
    { line: 'skc list --paths', note: 'find out why a skill does not show up' },
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
    const managed: Listed[] = [];
    for (const skill of listManagedSkills(workspace, { checkObsolete }))
      if (await access.isVisible(skill.source_path)) managed.push(skill);
    const { readInstallFacts, readStoreLocks } = await import('../../ship/install/install-facts.ts');
    const locks = readStoreLocks(workspace);
    const { visible, sights } = await openSeen({ ...input, locks }, context);
    const places = new Set(
      managed.flatMap(({ source_path, runtime_path }) =>
        [source_path, runtime_path ?? source_path].map(realPath),
      ),
    );
    const others = visible.skills
      .filter(({ dir }) => !places.has(dir))
      .map(({ name, scope, dir }): Listed => {
        const unmanaged = { status: 'unmanaged', runtime_path: null, form: null, why: null } as const;
        return { name, scope, source_path: dir, ...unmanaged };
      });
    const all = input.all
      ? [...managed, ...others].sort(
          (a, b) => compareScopes(a.scope, b.scope) || compareBytes(a.name, b.name),
        )
      : managed;

    const matches = input.pattern === undefined ? () => true : compileGlob(input.pattern);
    const wanted = all.filter(
      ({ name, scope, status }) =>
        (input.scope ?? scope) === scope && (input.status ?? status) === status && matches(name),
    );
    const [{ lastUse }, { estimateTokens }] = await Promise.all([
      import('../../read/usage/read-accesses.ts'),
      import('../../base/tokens/index.ts'),
    ]);
    const shown = wanted.slice(0, input.limit);
    reportNames(
      visible,
      shown.map(({ source_path }) => realPath(source_path)),
      context,
    );
    const factsOf = readInstallFacts(workspace, locks);
    const records = new Map(visible.skills.map((record) => [record.dir, record]));
    const describeRow = async (skill: Listed) => {
      const { scope, source_path, status, name } = skill;
      const dir = realPath(source_path);
      const record = records.get(dir);
      const { mode, agent, isMode } = readInvocation(
        record?.frontmatter ?? attempt(() => readSkillFields(dir)) ?? {},
      );
      const text = attempt(() => readSkillText(dir));
      const state: z.output<typeof Skill>['state'] =
        record?.enabled === false ? 'off' : record?.available === false ? 'unavailable' : 'on';
      const runtime =
        status === 'unmanaged'
          ? await findRuntimeOf({ dir, scope: scopeOf(dir, workspace) }, workspace)
          : skill.runtime_path;
      const installed = scope === 'bundled' ? undefined : factsOf(scope, source_path, name);
      return {
        ...skill,
        seen_by: sights.agents(dir),
        state,
        mode,
        agent,
        is_mode: isMode,
        tokens: text === undefined || text.problem !== undefined ? null : estimateTokens(text.text),
        last_used: runtime === null ? null : lastUse({ runtime, home: workspace.home }),
        install: installed?.facts ?? null,
      };
    };
    return {
      skills: await Promise.all(shown.map(describeRow)),
      total: all.length,
      filtered: wanted.length,
      others: input.all ? 0 : others.length,
      ...(input.paths ? { paths: searchPaths(visible) } : {}),
    };
  },
  text({ skills, total, filtered, others, paths }, view) {
    const hidden = filtered - skills.length;
    const lines = [
      ...(total > 0
        ? []
        : [
            `${others === 0 ? 'no skills yet' : 'skc manages no skills here'}; 'skc init <name>' creates one`,
          ]),
      ...(total > 0 && filtered === 0 ? [`no skill matches; there are ${total}`] : []),
      ...(filtered === 0 ? [] : tableLines(skills, view)),
      ...(hidden > 0 ? [`... (${hidden} more)`] : []),
      ...(others === 0
        ? []
        : [
            view.paint.faint(
              `agents see ${formatCount(others, 'other skill')}; 'skc list --all' lists every skill`,
            ),
          ]),
      ...(paths === undefined ? [] : ['', ...pathLines(paths, view)]),
    ];
    return `${lines.join('\n')}\n`;
  },
});

/** The columns, and the order in which a narrow terminal leaves them out. */
const titles = 'NAME SCOPE STATUS FORM VERSION AGENTS TOKENS SCAN USED NOTES SOURCE'.split(' ');
const leaves = ['FORM', 'SCOPE', 'SOURCE', 'VERSION', 'STATUS', 'NOTES', 'SCAN', 'USED', 'TOKENS'];

function tableLines(skills: readonly z.output<typeof Skill>[], view: View): string[] {
  const rows = skills.map((skill) => [
    skill.name,
    skill.scope,
    skill.status,
    skill.form ?? '-',
    skill.install === null ? '-' : oneLine(versionLabel(skill.install)),
    skill.seen_by.join(',') || '-',
    skill.tokens ?? '-',
    skill.install?.verdict ?? '-',
    skill.last_used?.slice(0, 10) ?? '-',
    oneLine(notesOf(skill)) || '-',
    oneLine(skill.install === null ? skill.source_path : showOrigin(skill.install)),
  ]);
  // Empty columns are left out.
  const used = titles.map((_, at) => rows.some((row) => row[at] !== '-'));
  return fitTable(
    titles.filter((_, at) => used[at]),
    rows.map((row) => row.filter((_, at) => used[at])),
    { ...view, leaves },
  );
}

/** Short notes for the table: state, notices, pin, update, edits. */
function notesOf({ install, state }: z.output<typeof Skill>): string {
  const { pinned = false, update = null, edits = [], notices = [] } = install ?? {};
  return [
    ...(state === 'on' ? [] : [state]),
    ...notices.map(({ kind }) => kind),
    ...(pinned ? ['pinned'] : []),
    ...(update === null ? [] : [`${update.wanted} available`]),
    ...(edits.length === 0 ? [] : ['edited']),
  ].join(', ');
}
