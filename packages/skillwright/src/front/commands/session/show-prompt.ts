// The list of skills for a system prompt.

import * as z from 'zod';
import { type CatalogFormat, catalogRenderers } from '../../../read/catalog/index.ts';
import { defineOperation } from '../define-command.ts';

const formats = Object.keys(catalogRenderers) as [CatalogFormat, ...CatalogFormat[]];

/** Gives the text to inject. */
export const showPrompt = defineOperation({
  input: z.strictObject({
    renderer: z.enum(formats).default('available-skills').describe('The form of the list'),
    budgets: z
      .strictObject({
        entries: z.int().nonnegative().optional(),
        bytes: z.int().nonnegative().optional(),
        tokens: z.int().nonnegative().optional(),
      })
      .default({})
      .describe('The most it may cost; the rest is what the user has configured'),
  }),
  output: z.strictObject({
    text: z.string().describe('For the system prompt; empty when there are no skills'),
    shown: z.int().describe('Skills in the text'),
    shortened: z.int().describe('Skills with a shortened description'),
    missing: z.int().describe('Skills without room; the text says how to find them'),
    incomplete: z.boolean().describe('Whether discovery was cut short, so that no search finds the rest'),
    bytes: z.int(),
    tokens: z.int().describe('An estimate'),
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
