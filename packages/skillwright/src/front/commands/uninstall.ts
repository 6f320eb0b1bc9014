// skc uninstall: removes installed skills.

import * as z from 'zod';
import { invalidOption } from '../../base/diagnostics/index.ts';
import { UninstallOutcome } from '../../ship/results/index.ts';
import { defineCommand } from './define-command.ts';
import { ScopeInput } from './install-input.ts';

/** Removes installed skills, with everything skc made of them. */
export const uninstall = defineCommand({
  input: z.strictObject({
    skills: z.array(z.string()).default([]).describe('Names of installed skills'),
    all: z
      .boolean()
      .default(false)
      .describe('Remove every installed skill of the project, or yours outside of one'),
    scope: ScopeInput.describe(
      'Remove from the project only, or yours only; without it, the project comes first',
    ),
    force: z.boolean().default(false).describe('Remove edited skills too; a backup is kept'),
    dry_run: z.boolean().default(false).describe('Show what would be removed, and remove nothing'),
  }),
  positionals: ['skills'],
  output: UninstallOutcome,
  effect: 'destructive',
  writes: ['stores', 'runtime directories', 'agent directories'],
  usersOwn: { all: false },
  touches: { skills: 'inspect' },
  about: 'Removes only skills that are in the lock. Skills you wrote yourself stay.',
  examples: [
    { line: 'skc uninstall pdf', note: 'remove the skill, its links and its lock entry' },
    { line: 'skc uninstall --all --dry-run', note: 'see what would be removed' },
  ],
  async run({ skills, all, scope, force, dry_run }, context) {
    if (all && skills.length > 0) throw invalidOption('--all takes no skills');
    if (!all && skills.length === 0) throw invalidOption('missing <skills>', 'name some, or pass --all');
    const { uninstallSkills } = await import('../../ship/install/uninstall-skills.ts');
    return uninstallSkills({ skills, scope, force, dryRun: dry_run }, context);
  },
  text({ uninstalled, dry_run }) {
    if (uninstalled.length === 0) return 'no skills installed\n';
    const lines = uninstalled.flatMap(({ name, removed, kept, backup }) => [
      `${name}: ${dry_run ? 'would be uninstalled' : 'uninstalled'}`,
      ...removed.map((path) => `  ${dry_run ? 'would remove' : 'removed'} ${path}`),
      ...kept.map((path) => `  kept ${path}: not made by skc, or changed since`),
      ...(backup === null ? [] : [`  backup of your edits: ${backup}`]),
    ]);
    return `${lines.join('\n')}\n`;
  },
});
