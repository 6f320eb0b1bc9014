// skc deprecate: tells users of a published skill to use something else.

import * as z from 'zod';
import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { Reason } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { registryFields } from './registry-choice.ts';

/** Deprecates a skill, or undoes that. */
export const deprecate = defineCommand({
  input: z.strictObject({
    address: z.string().describe('The skill: @owner/name'),
    reason: Reason.optional().describe(
      'Why, and what to use instead; everybody who has it installed sees it',
    ),
    undo: z.boolean().default(false).describe('The skill is no longer deprecated'),
    ...registryFields,
  }),
  positionals: ['address'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    deprecated: z.string().nullable().describe('The reason, or null'),
    dry_run: z.boolean(),
  }),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'Every version stays installable. `skc outdated`, `skc list` and `skc install` show the reason. To withdraw one version, use `skc yank`.',
  examples: [
    { line: "skc deprecate @acme/pdf --reason 'use @acme/documents'", note: 'deprecate a skill' },
    { line: 'skc deprecate @acme/pdf --undo', note: 'undo it' },
  ],
  async run({ address: text, reason, undo, registry, dry_run }, context) {
    const { chooseRegistry, openAccount, readSkillAddress } = await import('./registry-choice.ts');
    if ((reason !== undefined) === undo) throw invalidOption('give a --reason, or --undo');
    const { address, owner, name, version } = readSkillAddress(text);
    if (version !== undefined)
      throw invalidOption(
        'a skill is deprecated as a whole',
        `to withdraw one version: skc yank ${text} --reason '…'`,
      );
    const chosen = await chooseRegistry({ registry, owner }, context);
    const result = { registry: chosen.url, name: address, deprecated: reason ?? null, dry_run };
    if (dry_run) return result;
    const account = await openAccount(chosen, context);
    const { deprecated } = await account.call('changeSkill', {
      path: { owner, name },
      body: { deprecated: reason ?? null },
    });
    return { ...result, deprecated };
  },
  text({ name, deprecated, dry_run }) {
    const shown = makeVisible(name);
    if (deprecated === null)
      return `${shown} ${dry_run ? 'would no longer be' : 'is no longer'} deprecated\n`;
    return `${shown} ${dry_run ? 'would be' : 'is now'} deprecated: ${makeVisible(deprecated)}\n`;
  },
});
