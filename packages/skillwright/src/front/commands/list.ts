// skc list: the skills skc manages, or every skill an agent would see, with their state and who sees them.

import * as z from 'zod';
import { attempt, formatCount, oneLine } from '../../base/diagnostics/index.ts';
import { compareBytes, compileGlob, realPath } from '../../base/files/index.ts';
import type { ManagedSkill } from '../../make/compile/index.ts';
import { type Access, findRuntimeOf } from '../../read/access/index.ts';
import { compareScopes, type SkillScope } from '../../read/catalog/index.ts';
import { InstallFacts, showOrigin, versionLabel } from '../../ship/results/index.ts';
import { readInvocation, readSkillFields, readSkillText } from '../../skill/format/index.ts';
import type { Judged } from '../../skill/judge/index.ts';
import { scopeOf } from '../../skill/skill/index.ts';
import { missingNotes, openSeen, reportNames } from './catalog-input.ts';
import { defineCommand, linesOf, type View } from './define-command.ts';
import { catalogFields, choice, flag, integer, own, text } from './fields.ts';
import { renderTable, verdictPaints } from './render-table.ts';
import { Paths, pathLines, searchPaths } from './roots.ts';

/** Whether skc offers a skill to agents. */
export const SkillState = z.enum(['on', 'off', 'denied', 'unavailable']);

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
  state: SkillState.describe('Whether skc offers it to agents'),
  verdict: z
    .enum(['clean', 'caution', 'danger'])
    .nullable()
    .describe('The verdict of the last scan of its files as they are; null when they were not scanned'),
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
  fields: {
    all: flag('Every skill agents see, not only those of skc'),
    paths: flag('Also show the search paths, and what each contains'),
    scope: choice(['project', 'user'], 'Only the project, or only yours'),
    status: choice(['normal', 'not-built', 'obsolete'], 'Only this state'),
    pattern: text('Only names like pdf-*', { min: 1 }),
    limit: integer('At most this many', { positive: true, default: 1000 }),
    check_updates: own(flag('First ask the sources of installed skills for newer versions')),
    check_obsolete: flag('Compare sources with the last build'),
    ...catalogFields,
  },
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
  belongsTo: { agents: ['all', 'paths'], node_modules: ['all', 'paths'] },
  touches: { skills: 'list' },
  about:
    "Without --all, it lists the skills that skc manages: those in .skillc/skills, and those it compiled or installed. AGENTS are those used on this machine that see the skill; 'skc info <skill>' says why others do not. Uses no network without --check-updates: newer versions and notices come from the last 'skc outdated'.\nWith --paths it shows where skc looks for skills: from the root of the project down to the working directory, then in your home directory. Use this when a skill does not show up.",
  examples: {
    'skc list': 'list the skills skc manages',
    'skc list --all': 'list every skill agents see, and who sees it',
    'skc list --paths': 'find out why a skill does not show up',
    'skc list --status obsolete': 'list what needs a new build',
  },
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
    const [{ readInstallFacts, readStoreLocks }, { openVerdicts }] = await Promise.all([
      import('../../ship/install/install-facts.ts'),
      import('../../ship/install/verdicts.ts'),
    ]);
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

    const matches = input.pattern === undefined ? () => true : await compileGlob(input.pattern);
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
    if (input.all)
      for (const note of linesOf(missingNotes({ errors: visible.errors.length, cut: visible.truncated })))
        context.note(note);
    const factsOf = readInstallFacts(workspace, locks);
    const verdicts = openVerdicts(workspace);
    const records = new Map(visible.skills.map((record) => [record.dir, record]));
    const describeRow = async (skill: Listed) => {
      const { scope, source_path, status, name } = skill;
      const dir = realPath(source_path);
      const record = records.get(dir);
      const { mode, agent, isMode } = readInvocation(
        record?.frontmatter ?? attempt(() => readSkillFields(dir)) ?? {},
      );
      const text = attempt(() => readSkillText(dir));
      const state = record === undefined ? 'on' : await offerOf(record, access);
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
        verdict: verdicts.of(dir, installed) ?? null,
        tokens: text === undefined || text.problem !== undefined ? null : estimateTokens(text.text),
        last_used: runtime === null ? null : lastUse({ dir, runtime, home: workspace.home }),
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
    const none = others === 0 ? 'no skills yet' : 'skc manages no skills here';
    const more = `agents see ${formatCount(others, 'other skill')}; 'skc list --all' lists every skill`;
    return [
      total === 0 && `${none}; 'skc init <name>' creates one`,
      total > 0 && filtered === 0 && `no skill matches; there are ${total}`,
      filtered > 0 && tableLines(skills, view),
      hidden > 0 && `... (${hidden} more)`,
      others > 0 && view.paint.faint(more),
      paths && ['', pathLines(paths, view)],
    ];
  },
});

/** The columns, and the order in which a narrow terminal leaves them out. */
const titles = 'NAME SCOPE STATUS FORM VERSION AGENTS TOKENS SCAN USED NOTES SOURCE'.split(' ');
const leaves = ['FORM', 'SCOPE', 'SOURCE', 'VERSION', 'STATUS', 'NOTES', 'TOKENS', 'USED', 'SCAN'];

function tableLines(skills: readonly z.output<typeof Skill>[], view: View): string[] {
  const rows = skills.map((skill) => [
    skill.name,
    skill.scope,
    statusWord(skill.status),
    skill.form === null ? '-' : formWord(skill.form),
    skill.install === null ? '-' : oneLine(versionLabel(skill.install)),
    skill.seen_by.join(',') || '-',
    skill.tokens ?? '-',
    skill.verdict ?? 'unknown',
    skill.last_used?.slice(0, 10) ?? '-',
    oneLine(notesOf(skill)) || '-',
    oneLine(skill.install === null ? skill.source_path : showOrigin(skill.install)),
  ]);
  // Empty columns are left out.
  const used = titles.map((_, at) => rows.some((row) => row[at] !== '-'));
  return renderTable(
    titles.filter((_, at) => used[at]),
    rows.map((row) => row.filter((_, at) => used[at])),
    { ...view, leaves, paints: verdictPaints(view.paint) },
  );
}

/** Whether skc offers a skill to agents, or why not. */
export async function offerOf(
  skill: Judged,
  { judge }: Pick<Access, 'judge'>,
): Promise<z.output<typeof SkillState>> {
  const verdict = await judge.judge(skill, { operation: 'list', by: 'model' });
  if (!('reason' in verdict)) return 'on';
  const states = { disabled: 'off', denied: 'denied', unavailable: 'unavailable' } as const;
  return verdict.reason in states ? states[verdict.reason as keyof typeof states] : 'on';
}

/** States and forms as people call them; JSON has the documented words. */
export const statusWord = (status: string) => (status === 'normal' ? 'built' : status);
export const formWord = (form: string) => (form === 'files' ? 'stub+files' : form);

/** Short notes for the table: state, notices, pin, update, edits. */
function notesOf({ install, state }: z.output<typeof Skill>): string {
  const { pinned = false, update = null, edits = [], notices = [] } = install ?? {};
  return linesOf([
    state !== 'on' && state,
    notices.map(({ kind }) => kind),
    pinned && 'pinned',
    update && `${update.wanted} available`,
    edits.length > 0 && 'edited',
  ]).join(', ');
}
