// skills.setEnabled: turn skills on and off from a host.

import * as z from 'zod';
import type { SessionCatalog } from '../../../host/runtime/index.ts';
import { openWorkspace } from '../../../skill/workspace/index.ts';
import { defineOperation } from '../define-command.ts';
import { recordsMeant, switchNamed } from '../switch-named.ts';

/** Turns skills on or off. Unknown names are stored too, and listed in the result. */
export const setEnabled = defineOperation({
  input: z.strictObject({
    names: z.array(z.string().min(1).max(256)).min(1).max(1000),
    enabled: z.boolean(),
    scope: z
      .enum(['repo', 'user'])
      .optional()
      .describe('Default: repo in a trusted folder with a .skillc directory, otherwise user'),
  }),
  output: z.strictObject({
    scope: z.enum(['repo', 'user']),
    path: z.string().describe('File that stores the setting'),
    changed: z.array(z.string()).describe('Names that changed'),
    still_disabled: z.array(z.string()).describe('Names that the other scope keeps disabled'),
    unknown: z.array(z.string()).describe('Names that match no skill here'),
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
        // Write into an untrusted folder only at the client's request.
        scope: scope === 'repo' ? 'project' : (scope ?? (trust ? undefined : 'user')),
        unknown: true,
      },
      allOf(await own.catalog()),
      workspace,
    );
    // A catalog keeps skills disabled that were so when it was read.
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
