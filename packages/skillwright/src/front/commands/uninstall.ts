// skc uninstall: take installed skills away again.

import * as z from 'zod';
import { defineCommand } from './define-command.ts';
import { ScopeInput } from './install-output.ts';

/** Removes installed skills, with everything skc made of them. */
export const uninstall = defineCommand({
  input: z.strictObject({
    skills: z.array(z.string()).min(1).describe('Names of installed skills'),
    scope: ScopeInput.describe('Where to look for them: the project first, then the user'),
    force: z.boolean().default(false).describe('Uninstall edited skills too; a backup is kept'),
    dry_run: z.boolean().default(false).describe('Show what would be removed, and remove nothing'),
  }),
  positionals: ['skills'],
  output: z.object({
    dry_run: z.boolean(),
    uninstalled: z.array(
      z.object({
        name: z.string(),
        scope: z.enum(['project', 'user']),
        removed: z.array(z.string()),
        kept: z.array(z.string()).describe("In agents' directories, not made by skc or changed since"),
        backup: z.string().nullable(),
      }),
    ),
  }),
  effect: 'destructive',
  writes: ['stores', 'runtime directories', 'agent directories'],
  touches: { skills: 'inspect' },
  about: 'Only what the lock names is removed: a skill you wrote yourself stays.',
  examples: [{ line: 'skc uninstall pdf', note: 'the skill, its links and its entry in the lock' }],
  async run({ skills, scope, force, dry_run }, context) {
    const { uninstallSkills } = await import('../../ship/install/uninstall-skills.ts');
    const done = await uninstallSkills({ skills, scope, force, dryRun: dry_run }, context);
    return { dry_run, uninstalled: done };
  },
  text({ uninstalled, dry_run }) {
    const lines = uninstalled.flatMap(({ name, removed, kept, backup }) => [
      `${name}: ${dry_run ? 'would be uninstalled' : 'uninstalled'}`,
      ...removed.map((path) => `  ${dry_run ? 'would remove' : 'removed'} ${path}`),
      ...kept.map((path) => `  kept ${path}: skc did not make it, or it was changed`),
      ...(backup === null ? [] : [`  your edits are kept at ${backup}`]),
    ]);
    return `${lines.join('\n')}\n`;
  },
});
