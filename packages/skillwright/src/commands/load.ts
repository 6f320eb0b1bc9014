// skc load: a whole skill as an agent takes it into its context.

import * as z from 'zod';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';

/** Loads one skill of the catalog. */
export const load = defineCommand({
  input: z.strictObject({
    name: z.string().optional().describe('Name of the skill'),
    path: z.string().optional().describe('Its SKILL.md; wins over the name'),
  }),
  positionals: ['name'],
  output: z.object({
    status: z.enum(['loaded', 'already-loaded']),
    text: z.string().describe('The skill, or a reminder that it was loaded before'),
    truncated: z.boolean(),
    metadata: z.object({
      skill_id: z.string(),
      name: z.string(),
      path: z.string(),
      dir: z.string(),
      mtime_ms: z.number(),
    }),
  }),
  effect: 'read',
  served: () => ({ files: ['SKILL.md'] }),
  about:
    'Gives the body, the base directory and the files of the skill. Permission rules decide on the skill that is really loaded.\nWithin one MCP connection a skill is given once; asking again gives a reminder.',
  examples: [{ line: 'skc load pdf-forms', note: 'what a host would put into the context' }],
  async run({ name, path }, context) {
    if (name === undefined && path === undefined)
      throw SkillwrightError.of('E100', { why: 'missing <name>' });
    const session = await (context.session ?? openSession)(context);
    const reference = { ...(name === undefined ? {} : { name }), ...(path === undefined ? {} : { path }) };
    const { status, text, truncated, metadata, diagnostics } = await session.load(reference);
    const { openSource } = await import('../gateway/open-gateway.ts');
    await openSource(metadata.dir, context);
    for (const diagnostic of diagnostics) context.report(diagnostic);
    return { status, text, truncated, metadata: { ...metadata } };
  },
  text: ({ text }) => (text.endsWith('\n') ? text : `${text}\n`),
});

/** A session for this one run. Who runs skc in a directory trusts it. */
async function openSession({ cwd, home, env }: CommandContext) {
  const { createSession } = await import('../runtime/create-session.ts');
  return createSession({ cwd, home, env, trust: true });
}
