// skc clean: take back what a build made.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';

/** Removes the compiled form of a skill and its deployments. */
export const clean = defineCommand({
  input: z.strictObject({
    skill: z.string().describe('A skill by name or path'),
    dry_run: z.boolean().default(false).describe('Say what would be removed, and remove nothing'),
  }),
  positionals: ['skill'],
  output: z.object({
    skill: z.string(),
    dry_run: z.boolean(),
    removed: z.array(z.string()).describe('Files and links that were removed, or would be'),
    kept: z.array(z.string()).describe('Copies that were changed since, and links that skc did not make'),
  }),
  effect: 'destructive',
  touches: { skills: 'inspect' },
  about: 'The source and the access log stay as they are.',
  examples: [{ line: 'skc clean pdf-forms', note: 'its stub, its index, and the links of agents to it' }],
  async run({ skill, dry_run }, context) {
    const { cleanSkill } = await import('../../make/compile/clean-skill.ts');
    const { workspace, access } = context;
    try {
      const opened = await access.open(skill, { operation: 'inspect' });
      return { skill, dry_run, ...cleanSkill({ skill: opened }, workspace, { dryRun: dry_run }) };
    } catch (error) {
      // Its source may be gone, and what was compiled of it still there.
      if (!(error instanceof SkillwrightError) || error.code !== 'E001') throw error;
      return { skill, dry_run, ...cleanSkill({ name: skill }, workspace, { dryRun: dry_run }) };
    }
  },
  text({ skill, dry_run, removed, kept }) {
    const lines = [
      ...removed.map((path) => `${dry_run ? 'would remove' : 'removed'} ${path}`),
      ...kept.map((path) => `kept ${path}: it was changed since it was put there, or skc did not make it`),
    ];
    return `${lines.length === 0 ? `nothing to clean for ${skill}` : lines.join('\n')}\n`;
  },
});
