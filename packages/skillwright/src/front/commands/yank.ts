// skc yank: withdraws one version of a published skill.

import * as z from 'zod';
import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { Reason, Version } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { registryFields } from './registry-choice.ts';

/** Withdraws a version, or undoes that. */
export const yank = defineCommand({
  input: z.strictObject({
    address: z.string().describe('The version: @owner/name@1.2.0'),
    reason: Reason.optional().describe('Why; everybody who has it installed sees it'),
    undo: z.boolean().default(false).describe('Offer the version again'),
    ...registryFields,
  }),
  positionals: ['address'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    version: z.string(),
    yanked: z.string().nullable().describe('The reason, or null'),
    dry_run: z.boolean(),
  }),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'Nobody gets a yanked version by a range or as the latest one. You still get it, with the reason, if you name it exactly or have it in a lock. Nothing is deleted, and the version number is never used again.',
  examples: [
    { line: "skc yank @acme/pdf@1.2.0 --reason 'wrong template'", note: 'withdraw a version' },
    { line: 'skc yank @acme/pdf@1.2.0 --undo', note: 'offer it again' },
  ],
  async run({ address: text, reason, undo, registry, dry_run }, context) {
    const { chooseRegistry, openAccount, readSkillAddress } = await import('./registry-choice.ts');
    if ((reason !== undefined) === undo) throw invalidOption('give a --reason, or --undo');
    const { address, owner, name, version } = readSkillAddress(text);
    if (version === undefined || !Version.safeParse(version).success)
      throw invalidOption(`name one version, such as ${address}@1.2.0`);
    const chosen = await chooseRegistry({ registry, owner }, context);
    const result = { registry: chosen.url, name: address, version, yanked: reason ?? null, dry_run };
    if (dry_run) return result;
    const account = await openAccount(chosen, context);
    const { yanked } = await account.call('yankVersion', {
      path: { owner, name, version },
      body: { yanked: reason ?? null },
    });
    return { ...result, yanked };
  },
  text({ name, version, yanked, dry_run }) {
    const what = makeVisible(`${name}@${version}`);
    if (yanked === null) return `${dry_run ? 'would offer' : 'offering'} ${what} again\n`;
    return `${dry_run ? 'would yank' : 'yanked'} ${what}: ${makeVisible(yanked)}\n`;
  },
});
