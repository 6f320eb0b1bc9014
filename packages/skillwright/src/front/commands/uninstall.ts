// skc uninstall: removes installed skills.

import { invalidOption } from '../../base/diagnostics/index.ts';
import { UninstallOutcome } from '../../ship/results/index.ts';
import { defineCommand } from './define-command.ts';
import { flag, own, scopeField, texts } from './fields.ts';

/** Removes installed skills, with everything skc made of them. */
export const uninstall = defineCommand({
  fields: {
    skills: texts('Names of installed skills'),
    all: own(flag('Remove every installed skill of the project, or yours outside of one')),
    scope: scopeField('Remove from the project only, or yours only; without it, the project comes first'),
    force: flag('Remove edited skills too; a backup is kept'),
    dry_run: flag('Show what would be removed, and remove nothing'),
  },
  positionals: ['skills'],
  output: UninstallOutcome,
  effect: 'destructive',
  writes: ['stores', 'runtime directories', 'agent directories'],
  touches: { skills: 'inspect' },
  about: 'Removes only skills that are in the lock. Skills you wrote yourself stay.',
  examples: {
    'skc uninstall pdf': 'remove the skill, its links and its lock entry',
    'skc uninstall --all --dry-run': 'see what would be removed',
  },
  async run({ skills, all, scope, force, dry_run }, context) {
    if (all && skills.length > 0) throw invalidOption('--all takes no skills');
    if (!all && skills.length === 0) throw invalidOption('missing <skills>', 'name some, or pass --all');
    const { uninstallSkills } = await import('../../ship/install/uninstall-skills.ts');
    return uninstallSkills({ skills, scope, force, dryRun: dry_run }, context);
  },
  text({ uninstalled, dry_run }) {
    if (uninstalled.length === 0) return ['no skills installed'];
    return uninstalled.map(({ name, removed, kept, restored, backup }) => [
      `${name}: ${dry_run ? 'would be uninstalled' : 'uninstalled'}`,
      removed.map((path) => `  ${dry_run ? 'would remove' : 'removed'} ${path}`),
      kept.map((path) => `  kept ${path}: not made by skc, or changed since`),
      restored.map((path) => `  put back ${path}: it was there before skc deployed the skill`),
      backup && `  backup of your edits: ${backup}`,
    ]);
  },
});
