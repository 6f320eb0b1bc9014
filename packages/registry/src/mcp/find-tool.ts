// The tool that finds skills of the registry.

import type { ServedTool } from 'skillwright/mcp';
import { describeTool } from 'skillwright/mcp';
import { OwnerName } from 'skillwright/registry-protocol';
import * as z from 'zod';
import { type FoundSkills, renderFound } from './find-skills.ts';

const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 50;

/** Input of the tool. */
export const FindInput = z.strictObject({
  query: z.union([z.string(), z.array(z.string()).min(1)]).describe('What the skill should do, or its name'),
  limit: z.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe('At most this many results'),
  owner: OwnerName.optional().describe('Only skills of this owner, without `@`'),
  tag: z.string().max(100).optional().describe('Only skills with this tag'),
});

/** The tool, for the list of tools. */
export const findTool: ServedTool = {
  commandName: 'find',
  ...describeTool(
    {
      input: FindInput,
      output: z.object({
        query: z.string(),
        results: z.array(z.object({ skill: z.string() })),
        total: z.number().int(),
        truncated: z.boolean(),
      }),
      positionals: ['query'],
      effect: 'read',
      writes: [],
      touches: { skills: 'list' },
      run: () => {
        throw new Error('the server answers this tool itself');
      },
      text: (found: FoundSkills) => renderFound(found),
    },
    { rest: 'pass a lower limit' },
    { name: 'skc_find', summary: 'Find skills of this registry by purpose' },
  ),
};
