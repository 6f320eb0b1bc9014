// context.prompt: the skill list for a system prompt.

import * as z from 'zod';
import { type CatalogFormat, catalogRenderers } from '../../../read/catalog/index.ts';
import { defineOperation } from '../define-command.ts';

const formats = Object.keys(catalogRenderers) as [CatalogFormat, ...CatalogFormat[]];

/** Returns the text to inject. */
export const showPrompt = defineOperation({
  input: z.strictObject({
    renderer: z.enum(formats).default('available-skills').describe('Format of the list'),
    budgets: z
      .strictObject({
        entries: z.int().nonnegative().optional(),
        bytes: z.int().nonnegative().optional(),
        tokens: z.int().nonnegative().optional(),
      })
      .default({})
      .describe('Upper limits of the list; the configuration sets those you leave out'),
  }),
  output: z.strictObject({
    text: z.string().describe('Text for the system prompt; empty when there are no skills'),
    shown: z.int().describe('Skills in the text'),
    shortened: z.int().describe('Skills with a shortened description'),
    missing: z.int().describe('Skills that do not fit; the text says how to find them'),
    incomplete: z
      .boolean()
      .describe('Whether a limit cut discovery short, so that a search cannot find the rest'),
    bytes: z.int(),
    tokens: z.int().describe('Estimated tokens'),
  }),
  effect: 'read',
  writes: ['cache'],
  touches: { skills: 'list' },
  async run({ renderer, budgets: { entries, bytes, tokens } }, connection) {
    const budgets = {
      ...(entries === undefined ? {} : { entries }),
      ...(bytes === undefined ? {} : { bytes }),
      ...(tokens === undefined ? {} : { tokens }),
    };
    return (await connection.session()).prompt({ renderer, budgets });
  },
});
