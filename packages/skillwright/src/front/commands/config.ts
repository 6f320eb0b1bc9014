// skc config: read and write configuration.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { choice, flag, text } from './fields.ts';

const Entry = z.object({
  key: z.string(),
  value: z.unknown(),
  layer: z.enum(['default', 'user', 'project', 'environment']),
  place: z.string().nullable().describe('The file or variable the value comes from'),
});

/** Shows the configuration in force, or changes one value. */
export const config = defineCommand({
  fields: {
    key: text('A key such as gateway.auto_build'),
    value: text('The value to write; lists as a,b or ["a", "b"]'),
    scope: choice(
      ['project', 'user'],
      "Write the project's file, or yours; without it, the project's if you are in one",
    ),
    unset: flag('Remove the key from the file'),
    show_origin: flag('Show where each value comes from'),
    dry_run: flag('Show which file would change, and write nothing'),
  },
  positionals: ['key', 'value'],
  output: z.object({
    entries: z.array(Entry),
    written: z.string().nullable().describe('The file changed, or that would be'),
    dry_run: z.boolean(),
    show_origin: z.boolean(),
  }),
  effect: 'write',
  writes: ['configuration'],
  touches: 'nothing',
  about:
    'The last one that sets a key wins: defaults, your file, the file of the project, `SKC_*` variables.',
  examples: {
    'skc config': 'list every key and its value',
    'skc config --show-origin': 'also show where each comes from',
    'skc config gateway.auto_build true': 'change one value',
    'skc config lint.rules.SKL107 off': 'turn a rule off',
  },
  async run(input, context) {
    const { changeConfig, listConfig } = await import('../../skill/config/edit-config.ts');
    const { workspace } = context;
    const { user, project } = workspace;
    const places = { user: user.config, project: project && workspace.store('project') };
    const written = changeConfig({ ...input, dryRun: input.dry_run }, places);
    // A rule that denies a skill takes it away from agents.
    if (written !== null && !input.dry_run && input.key?.startsWith('permissions') === true) {
      const { settledLines, settleSwitched } = await import('./settle.ts');
      for (const line of settledLines(await settleSwitched([], context))) context.note(line);
    }
    const entries = listConfig(input.key, await workspace.configuration());
    return { entries, written, dry_run: input.dry_run, show_origin: input.show_origin };
  },
  text(output, { paint }) {
    if (output.written !== null) return [`${output.dry_run ? 'would write' : 'wrote'} ${output.written}`];
    return output.entries.map(({ key, value, layer, place }) => {
      const origin = output.show_origin ? `  ${paint.faint(`# ${place ?? layer}`)}` : '';
      return `${makeVisible(key)} = ${value === null ? 'unset' : JSON.stringify(value)}${origin}`;
    });
  },
});
