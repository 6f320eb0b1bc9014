// skc clean: take back what a build made.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';

/** Removes the compiled form of a skill and its deployments. */
export const clean = defineCommand({
  input: z.strictObject({ skill: z.string().describe('A skill by name or path') }),
  positionals: ['skill'],
  output: z.object({
    skill: z.string(),
    removed: z.array(z.string()).describe('Files and links that were removed'),
    kept: z.array(z.string()).describe('Deployed copies that stay because they were changed since'),
  }),
  effect: 'destructive',
  writes: ['runtime directories', 'agent directories'],
  touches: { skills: 'inspect' },
  about: 'The source and the access log stay as they are.',
  examples: [{ line: 'skc clean pdf-forms', note: 'its stub, its index, and the links of agents to it' }],
  async run({ skill }, context) {
    const { cleanSkill } = await import('../../make/compile/clean-skill.ts');
    const { workspace, access } = context;
    try {
      const opened = await access.open(skill, { operation: 'inspect' });
      return { skill, ...cleanSkill({ skill: opened }, workspace) };
    } catch (error) {
      // Its source may be gone, and what was compiled of it still there.
      if (!(error instanceof SkillwrightError) || error.code !== 'E001') throw error;
      return { skill, ...cleanSkill({ name: skill }, workspace) };
    }
  },
  text({ skill, removed, kept }) {
    const lines = [
      ...removed.map((path) => `removed ${path}`),
      ...kept.map((path) => `kept ${path}: it was changed since it was copied there`),
    ];
    return `${lines.length === 0 ? `nothing to clean for ${skill}` : lines.join('\n')}\n`;
  },
});
