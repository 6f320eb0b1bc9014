// Programs that what is installed cannot do without.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCheck } from '../check.ts';
import { lookAtMachine } from '../machine.ts';

/** Reports git and the sandbox where they are needed and not there. */
export const missingProgram = defineCheck({
  id: 'missing-program',
  group: 'this machine',
  summary: 'git is there for skills that come from repositories, and a sandbox for skills that have scripts.',
  async find({ skills, context }) {
    const { git, sandbox } = await lookAtMachine(context);
    const cloned = skills.filter(({ entry }) => entry?.resolution.commit !== undefined);
    const scripted = skills.filter(
      ({ source }) => source !== undefined && existsSync(join(source, 'scripts')),
    );
    return [
      ...(git !== null || cloned.length === 0
        ? []
        : [
            {
              severity: 'warning' as const,
              subject: 'git',
              message: 'git is not installed',
              why: `${cloned[0]!.name} comes from a repository: it can be neither updated nor fetched again.`,
              fix: 'install git',
            },
          ]),
      ...(sandbox.name !== null || scripted.length === 0
        ? []
        : [
            {
              severity: 'info' as const,
              subject: 'sandbox',
              message: `there is no sandbox: ${sandbox.why}`,
              why: `'skc run' refuses the scripts of ${scripted[0]!.name}.`,
              fix: sandbox.fix ?? 'install bubblewrap',
            },
          ]),
    ];
  },
});
