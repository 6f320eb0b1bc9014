// Missing programs that installed skills need.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCheck } from '../check.ts';
import { lookAtMachine } from '../machine.ts';

/** Reports git and the sandbox when they are needed but missing. */
export const missingProgram = defineCheck({
  id: 'missing-program',
  group: 'this machine',
  summary: 'git is installed for skills from repositories, and a sandbox for skills with scripts.',
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
              why: `${cloned[0]!.name} comes from a repository and cannot be updated or restored without git.`,
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
