// skc skills on a terminal.

import type * as z from 'zod';
import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { matchSkills } from '../../read/catalog/index.ts';
import { outlineSkill } from '../../read/gateway/index.ts';
import { closedGateOf } from '../../skill/quiz/index.ts';
import { type CommandContext, openCatalog, showPath, type skills, switchNamed } from '../commands/index.ts';
import { type Notice, startPicker } from './picker-state.ts';
import { type PickerTerminal, runPicker } from './run-picker.ts';

/** The input of `skc skills`. */
export type SkillsInput = z.output<typeof skills.input>;

/** Lets somebody pick a skill; gives the line to print, which is empty when nothing was picked. */
export async function pickSkills(
  input: SkillsInput,
  context: CommandContext,
  { openTerminal, paint }: { openTerminal: () => PickerTerminal; paint: Paint },
): Promise<string> {
  // Everything that can fail comes before the screen is taken.
  const { visible: catalog, opened } = await openCatalog(input, context);
  const memory = await context.memory();
  const { workspace } = context;
  const terminal = openTerminal();
  const state = startPicker({
    find: (query, scope) => matchSkills(catalog, query, { scope, opened }),
    showPath: (path) => showPath(path, workspace),
    total: catalog.skills.length,
    shadowed: new Set(catalog.skills.flatMap(({ shadows }) => shadows)),
    size: terminal.size(),
    query: input.query.join(' '),
    scope: input.scope ?? 'all',
    notice: noticeOf(catalog),
  });
  const picked = await runPicker(state, terminal, {
    paint,
    switchSkill: (name, enabled) => {
      const { scope, stillDisabled } = switchNamed({ names: [name], enabled }, catalog, workspace);
      const here = scope === 'project' ? 'in this project' : 'for all your projects';
      if (stillDisabled.length === 0)
        return { enabled, notice: { text: `${name} is ${enabled ? 'on' : 'off'} ${here}`, isError: false } };
      // Whoever sits at the terminal decides for the user too.
      const other = scope === 'project' ? 'user' : 'project';
      switchNamed({ names: [name], enabled, scope: other }, catalog, workspace);
      return {
        enabled,
        notice: { text: `${name} is on again, for the project and for the user`, isError: false },
      };
    },
    outlineOf: ({ path, dir }) => {
      const { headings } = outlineSkill(dir, { maxLevel: 3 });
      const gate = closedGateOf(dir, memory);
      return { path, headings: gate === undefined ? headings : headings.filter(gate.allowsSection) };
    },
  });
  return picked === '' ? '' : `${makeVisible(picked)}\n`;
}

function noticeOf({
  errors,
  truncated,
}: {
  errors: readonly unknown[];
  truncated: boolean;
}): Notice | undefined {
  if (errors.length > 0)
    return { text: `${errors.length} could not be read; 'skc roots' says why`, isError: true };
  return truncated
    ? { text: "not everything was looked at; 'skc roots' says where it stopped", isError: true }
    : undefined;
}
