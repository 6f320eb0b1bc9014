// skc clean: deletes the files and links a build made.

import { basename } from 'node:path';
import * as z from 'zod';
import { diagnosticOf, invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Cleaned } from '../../make/compile/index.ts';
import { isSkill } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { flag, own, scopeField, text } from './fields.ts';

/** Removes the compiled form of a skill and its deployments. */
export const clean = defineCommand({
  fields: {
    skill: text('A skill by name or path; a deleted one by name'),
    all: own(flag('Clean every build of the project and yours')),
    scope: scopeField('With --all: only the project, or only yours'),
    logs: flag('Delete the access log as well'),
    dry_run: flag('Show what would be deleted, and delete nothing'),
  },
  positionals: ['skill'],
  output: z.object({
    skill: z.string().nullable().describe('Null with --all'),
    dry_run: z.boolean(),
    removed: z.array(z.string()).describe('Files and links removed, or that would be'),
    kept: z.array(z.string()).describe('Copies changed since the build, and links skc did not make'),
    restored: z.array(z.string()).describe('Places that hold again what agents had there before the build'),
  }),
  effect: 'destructive',
  writes: ['runtime directories', 'agent directories'],
  belongsTo: { scope: ['all'] },
  touches: { skills: 'inspect' },
  about:
    "The source stays. So does the access log, unless you pass --logs. If a build replaced something in an agent's directory, it is put back.",
  examples: {
    'skc clean pdf-forms': 'delete its stub, its index and its links',
    'skc clean pdf-forms --dry-run': 'see what would be deleted',
    'skc clean --all --dry-run': 'see what every build made',
    'skc clean deleted-skill --logs': 'delete the rest of a skill you deleted',
  },
  async run({ skill, all, scope, logs, dry_run }, context) {
    const { cleanSkill } = await import('../../make/compile/clean-skill.ts');
    const { workspace, access } = context;
    const options = { logs, dryRun: dry_run };
    if (all && skill !== undefined) throw invalidOption('--all takes no skill');
    if (all) return { skill: null, dry_run, ...(await cleanAll(scope, options, context)) };
    if (skill === undefined) throw invalidOption('missing <skill>', 'name one, or pass --all');
    try {
      const opened = await access.open(skill, { operation: 'inspect' });
      return { skill, dry_run, ...cleanSkill({ skill: opened }, workspace, options) };
    } catch (error) {
      // The source may be gone while its compiled form is still there.
      if (!(error instanceof SkillwrightError) || !['E001', 'E023'].includes(error.code)) throw error;
      return { skill, dry_run, ...cleanSkill({ name: skill }, workspace, options) };
    }
  },
  text({ skill, dry_run, removed, kept, restored }) {
    const [goes, stays, returns] = dry_run
      ? ['would remove', 'would keep', 'would put back']
      : ['removed', 'kept', 'put back'];
    return [
      removed.map((path) => `${goes} ${path}`),
      kept.map((path) => `${stays} ${path}: changed since the build, or not made by skc`),
      restored.map((path) => `${returns} ${path}`),
      removed.length + kept.length + restored.length === 0 &&
        `nothing to clean${skill === null ? '' : ` for ${skill}`}`,
    ];
  },
});

/** Cleans every compiled skill of the stores, and the remains of deleted ones. */
async function cleanAll(
  scope: 'project' | 'user' | undefined,
  options: { readonly logs: boolean; readonly dryRun: boolean },
  { workspace, access, report }: CommandContext,
): Promise<Cleaned> {
  const [{ listManagedSkills }, { cleanSkill }] = await Promise.all([
    import('../../make/compile/list-skills.ts'),
    import('../../make/compile/clean-skill.ts'),
  ]);
  const removed: string[] = [];
  const kept: string[] = [];
  const restored: string[] = [];
  for (const skill of listManagedSkills(workspace, { checkObsolete: false })) {
    if (skill.runtime_path === null || (scope ?? skill.scope) !== skill.scope) continue;
    try {
      const meant = isSkill(skill.source_path)
        ? { skill: await access.open(skill.source_path, { operation: 'inspect' }) }
        : { name: basename(skill.runtime_path) };
      const cleaned = cleanSkill(meant, workspace, options);
      removed.push(...cleaned.removed);
      kept.push(...cleaned.kept);
      restored.push(...cleaned.restored);
    } catch (error) {
      // One failure does not stop the rest.
      if (!(error instanceof SkillwrightError)) throw error;
      report({ ...diagnosticOf(error), severity: 'warning' });
    }
  }
  return { removed: [...new Set(removed)], kept: [...new Set(kept)], restored };
}
