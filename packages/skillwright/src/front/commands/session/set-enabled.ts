// Switching skills on and off from a host.

import * as z from 'zod';
import type { SessionCatalog } from '../../../host/runtime/index.ts';
import { openWorkspace } from '../../../skill/workspace/index.ts';
import { defineOperation } from '../define-command.ts';
import { recordsMeant, switchNamed } from '../switch-named.ts';

/** Switches skills; names that no skill has are remembered too, and named in the result. */
export const setEnabled = defineOperation({
  input: z.strictObject({
    names: z.array(z.string().min(1).max(256)).min(1).max(1000),
    enabled: z.boolean(),
    scope: z
      .enum(['repo', 'user'])
      .optional()
      .describe('Default: repo in a trusted folder that has a .skillc directory, else user'),
  }),
  output: z.strictObject({
    scope: z.enum(['repo', 'user']),
    path: z.string().describe('The file that holds it'),
    changed: z.array(z.string()).describe('Names that were not so before'),
    still_disabled: z.array(z.string()).describe('Names that the other scope keeps off'),
    unknown: z.array(z.string()).describe('Names that no skill has here'),
  }),
  effect: 'write',
  writes: ['state'],
  touches: { skills: 'list' },
  async run({ names, enabled, scope }, connection) {
    const { cwd, trust } = connection.open();
    const { home, env } = connection.surroundings;
    const workspace = await openWorkspace({ cwd, home, env, trust });
    const own = await connection.session();
    const done = switchNamed(
      {
        names,
        enabled,
        // An untrusted folder is written to only when the client asks for it.
        scope: scope === 'repo' ? 'project' : (scope ?? (trust ? undefined : 'user')),
        unknown: true,
      },
      allOf(await own.catalog()),
      workspace,
    );
    // Skills that were off when a catalog was read stay off in it.
    const reload = enabled && done.changed.length > 0;
    const sessions = [...(await connection.sessions()).values()];
    if (reload) await Promise.all(sessions.map((session) => session.catalog({ reload })));
    const everything = allOf(await own.catalog());
    return {
      scope: done.scope === 'project' ? ('repo' as const) : done.scope,
      path: done.path,
      changed: done.changed,
      still_disabled: done.stillDisabled,
      unknown: names.filter((name) => recordsMeant(everything, name).length === 0),
    };
  },
});

const allOf = ({ skills, hidden }: SessionCatalog) => ({
  skills: [...skills, ...hidden.map(({ skill }) => skill)],
});
