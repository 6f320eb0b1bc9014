// skc skills: the skills visible from here, and which of them are on. On a terminal the picker shows them instead.

import * as z from 'zod';
import { invalidOption, makeVisible, oneLine } from '../../base/diagnostics/index.ts';
import { matchSkills, type SkillCatalog, type SkillRecord } from '../../read/catalog/index.ts';
import { Settled } from '../../ship/results/index.ts';
import { namesOfSkill } from '../../skill/skill/index.ts';
import { readSwitchedOff } from '../../skill/workspace/index.ts';
import { missingNotes, openCatalog, reportNames, shadowersIn, showPath } from './catalog-input.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand, type Line, linesOf, type View } from './define-command.ts';
import { catalogFields, choice, flag, texts } from './fields.ts';
import { renderTable } from './render-table.ts';
import { settledLines, settleSwitched } from './settle.ts';
import { recordsMeant, switchNamed } from './switch-named.ts';
import { cutToWidth, widthOf } from './text-width.ts';

const Skill = z.object({
  name: z.string(),
  description: z.string(),
  scope: z.enum(['project', 'user', 'bundled']),
  path: z.string().describe('Its SKILL.md'),
  enabled: z.boolean(),
  available: z.boolean(),
  unavailable_because: z.string().optional(),
  shadowed_by: z.string().optional().describe('The SKILL.md of the same name that hides it'),
  shown: z.string().describe('Its directory as seen from here'),
});
type Skill = z.output<typeof Skill>;

const Switched = z.object({
  enabled: z.boolean(),
  dry_run: z.boolean(),
  scope: z.enum(['project', 'user']),
  path: z.string().describe('The file that saves the choice'),
  changed: z.array(z.string()).describe('Names whose state changed'),
  still_disabled: z.array(z.string()).describe('Names the other scope keeps off'),
  settled: z
    .array(Settled)
    .optional()
    .describe('Present when something was taken out of directories of agents, put back, or is still seen'),
});

const Output = z.object({
  skills: z.array(Skill).describe('The matching skills, best first; after a switch, the switched ones'),
  total: z.number().int().describe('All skills'),
  errors: z.number().int().describe('Skills that cannot be read'),
  truncated: z.boolean().describe('Whether the search stopped early, so that skills may be missing'),
  switched: Switched.nullable().describe('The switch; null when skills were only listed'),
});
type Output = z.output<typeof Output>;

/** Lists skills and switches them. */
export const skills = defineCommand({
  fields: {
    query: texts('Words to look for; with --enable or --disable, names of skills'),
    enable: flag('Turn the named skills on'),
    disable: flag('Turn the named skills off'),
    dry_run: flag('Show what --enable or --disable would change'),
    scope: choice(
      ['project', 'user', 'bundled'],
      'Show this scope only; with --enable or --disable, where to save the choice',
    ),
    ...catalogFields,
  },
  positionals: ['query'],
  output: Output,
  effect: 'write',
  writes: ['state', 'runtime directories', 'agent directories'],
  excludes: [['enable', 'disable']],
  touches: { skills: 'list' },
  about:
    'On a terminal this opens a list that you search by typing. Tab changes the scope, Space turns the selected skill on or off in that scope (Ctrl-T while you type), Enter prints $name, or the path if several skills have that name, Ctrl-O prints the path, and ? lists all keys. Esc and Ctrl-C exit with status 130. The list draws on the terminal itself, so you can capture or pipe the result. With --format text or --json, or without a terminal, it prints the skills.\nA skill that is off is hidden from agents, and no command prints its content. skc takes it out of the directories of agents where skc deployed it, and puts it back when you turn it on; for copies that skc did not deploy, skc says which agents still see them. The choice is saved in the project, or for you if there is no project or you pass --scope user. A project cannot turn on what you turned off.',
  examples: {
    'skc skills': 'browse and pick one',
    'skc skills pdf': 'start with a search',
    'skill=$(skc skills pdf)': 'keep your choice in a variable',
    'skc skills --format text | less': 'print the table, on a terminal too',
    'skc skills --disable pdf-forms old-notes': 'turn two skills off in this project',
    'skc skills --enable pdf-forms --scope user': 'turn one on in all your projects',
  },
  async run(input, context) {
    const { query, enable, disable, scope } = input;
    if (!enable && !disable) {
      const { visible, sealed } = await openCatalog(input, context);
      const found = matchSkills(visible, query.join(' '), { scope, sealed });
      reportNames(
        visible,
        found.map(({ dir }) => dir),
        context,
      );
      return outputOf(found, visible, { switched: null, context });
    }
    if (query.length === 0)
      throw invalidOption(`${enable ? '--enable' : '--disable'} needs the names of skills`);
    if (scope === 'bundled')
      throw invalidOption('bundled skills are switched in the scope project or user', 'use project or user');
    const { visible: catalog } = await openCatalog(input, context);
    const done = switchNamed(
      { names: query, enabled: enable, scope, dryRun: input.dry_run },
      catalog,
      context.workspace,
    );
    const off = readSwitchedOff(context.workspace.stores);
    const touched = query
      .flatMap((word) => recordsMeant(catalog, word))
      .map((skill) => ({
        ...skill,
        enabled: !off.has(namesOfSkill(skill), skill.dir),
      }));
    const settled = input.dry_run
      ? []
      : await settleSwitched(
          touched.map(({ name }) => name),
          context,
        );
    const switched = {
      enabled: enable,
      dry_run: input.dry_run,
      scope: done.scope,
      path: done.path,
      changed: [...done.changed],
      still_disabled: [...done.stillDisabled],
      ...(settled.length === 0 ? {} : { settled }),
    };
    return outputOf(touched, catalog, { switched, context });
  },
  text: (output, view) => (output.switched === null ? listLines(output, view) : switchLines(output.switched)),
});

function outputOf(
  chosen: readonly SkillRecord[],
  catalog: SkillCatalog,
  { switched, context }: { switched: Output['switched']; context: CommandContext },
): Output {
  const shadowedBy = shadowersIn(catalog);
  return {
    skills: chosen.map((skill) => {
      const { name, description, scope, path, enabled, available, reason } = skill;
      const before = shadowedBy.get(path);
      return {
        name,
        description,
        scope,
        path,
        enabled,
        available,
        ...(reason === undefined ? {} : { unavailable_because: reason }),
        ...(before === undefined ? {} : { shadowed_by: before }),
        shown: showPath(skill.dir, context.workspace),
      };
    }),
    total: catalog.skills.length,
    errors: catalog.errors.length,
    truncated: catalog.truncated,
    switched,
  };
}

const MIN_DESCRIPTION = 24;

function listLines({ skills, total, errors, truncated }: Output, view: View): Line[] {
  const { paint, columns } = view;
  const notes = linesOf([
    total === 0 && "no skills found; 'skc list --paths' shows where skc looked",
    total > 0 && skills.length === 0 && `no skill matches; there are ${total}`,
    missingNotes({ errors, cut: truncated }),
  ]).map(paint.faint);
  if (skills.length === 0) return notes;
  const rows = skills.map((skill) => [skill.name, skill.scope, switchState(skill), skill.shown]);
  const taken = [0, 1, 2, 3].map((cell) =>
    Math.max(...rows.map((row) => widthOf(makeVisible(row[cell]!))), 'STATE'.length),
  );
  const room = columns - taken.reduce((sum, width) => sum + width + 2, 0);
  const table = renderTable(
    ['NAME', 'SCOPE', 'STATE', 'DESCRIPTION', 'WHERE'],
    rows.map(([name, scope, state, where], index) => [
      name!,
      scope!,
      state!,
      cutToWidth(oneLine(skills[index]!.description), Math.max(MIN_DESCRIPTION, room)),
      where!,
    ]),
    view.isTerminal ? { ...view, leaves: ['SCOPE', 'WHERE', 'STATE'] } : view,
  );
  return [table, notes];
}

/** The state of a skill in one word. */
function switchState({ enabled, available }: Skill): string {
  return !enabled ? 'off' : available ? 'on' : 'unavailable';
}

function switchLines({
  enabled,
  dry_run,
  scope,
  path,
  changed,
  still_disabled,
  settled = [],
}: NonNullable<Output['switched']>): Line[] {
  const state = enabled ? 'on' : 'off';
  const where = scope === 'user' ? 'for you' : 'in the project';
  const other = scope === 'user' ? 'project' : 'user';
  return [
    changed.length === 0
      ? `nothing changed: already ${state} ${where}`
      : `${changed.map(makeVisible).join(', ')}: ${dry_run ? 'would be ' : ''}${state} ${where} (${makeVisible(path)})`,
    still_disabled.length > 0 &&
      `still off: ${still_disabled.map(makeVisible).join(', ')}; the ${other} has it switched off, see --scope ${other}`,
    settledLines(settled),
  ];
}
