// skc clean: take back what a build made.

import { z } from 'zod';
import { defineCommand } from './define-command.ts';

/** Removes the compiled form of a skill and its deployments. */
export const clean = defineCommand({
  input: z.strictObject({ skill: z.string().describe('A skill by name or path') }),
  positionals: ['skill'],
  output: z.object({
    skill: z.string(),
    removed: z.array(z.string()).describe('Files and links that were removed'),
  }),
  effect: 'destructive',
  about: 'The source and the access log stay as they are.',
  async run({ skill }, context) {
    const { cleanNamedSkill } = await import('../compile/clean-skill.ts');
    return { skill, removed: cleanNamedSkill(skill, context).removed };
  },
  text: ({ skill, removed }) =>
    removed.length === 0
      ? `nothing to clean for ${skill}\n`
      : `${removed.map((path) => `removed ${path}`).join('\n')}\n`,
});
