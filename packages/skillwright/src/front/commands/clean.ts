// skc clean: take back what a build made.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';

/** Removes the compiled form of a skill and its deployments. */
export const clean = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path; also one whose source is gone, by name'),
    logs: z.boolean().default(false).describe('Delete the access log as well'),
    dry_run: z.boolean().default(false).describe('Say what would be removed, and remove nothing'),
  }),
  positionals: ['skill'],
  short: { dry_run: 'n' },
  output: z.object({
    skill: z.string(),
    dry_run: z.boolean(),
    removed: z.array(z.string()).describe('Files and links that were removed, or would be'),
    kept: z.array(z.string()).describe('Copies that were changed since, and links that skc did not make'),
  }),
  effect: 'destructive',
  writes: ['runtime directories', 'agent directories'],
  touches: { skills: 'inspect' },
  about: 'The source stays as it is, and so does the access log without --logs.',
  examples: [
    { line: 'skc clean pdf-forms', note: 'its stub, its index, and the links of agents to it' },
    { line: 'skc clean pdf-forms --dry-run', note: 'what would go' },
    { line: 'skc clean deleted-skill --logs', note: 'everything that is left of a skill you deleted' },
  ],
  async run({ skill, logs, dry_run }, context) {
    const { cleanSkill } = await import('../../make/compile/clean-skill.ts');
    const { workspace, access } = context;
    const options = { logs, dryRun: dry_run };
    try {
      const opened = await access.open(skill, { operation: 'inspect' });
      return { skill, dry_run, ...cleanSkill({ skill: opened }, workspace, options) };
    } catch (error) {
      // Its source may be gone, and what was compiled of it still there.
      if (!(error instanceof SkillwrightError) || !['E001', 'E023'].includes(error.code)) throw error;
      return { skill, dry_run, ...cleanSkill({ name: skill }, workspace, options) };
    }
  },
  text({ skill, dry_run, removed, kept }) {
    const [goes, stays] = dry_run ? ['would remove', 'would keep'] : ['removed', 'kept'];
    const lines = [
      ...removed.map((path) => `${goes} ${path}`),
      ...kept.map(
        (path) => `${stays} ${path}: it was changed since it was put there, or skc did not make it`,
      ),
    ];
    return `${lines.length === 0 ? `nothing to clean for ${skill}` : lines.join('\n')}\n`;
  },
});
