// skc yank: withdraws one version of a published skill.

import * as z from 'zod';
import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { Reason, Version } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { flag, registryFields, text } from './fields.ts';
import { changesRegistry, chooseSkill } from './registry-choice.ts';

/** Withdraws a version, or undoes that. */
export const yank = defineCommand({
  fields: {
    address: text('The version: @owner/name@1.2.0', { required: true }),
    reason: text('Why; everybody who has it installed sees it', { schema: Reason }),
    undo: flag('Offer the version again'),
    ...registryFields,
  },
  positionals: ['address'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    version: z.string(),
    yanked: z.string().nullable().describe('The reason, or null'),
    dry_run: z.boolean(),
  }),
  ...changesRegistry,
  about:
    'Nobody gets a yanked version by a range or as the latest one. You still get it, with the reason, if you name it exactly or have it in a lock. Nothing is deleted, and the version number is never used again.',
  examples: {
    "skc yank @acme/pdf@1.2.0 --reason 'wrong template'": 'withdraw a version',
    'skc yank @acme/pdf@1.2.0 --undo': 'offer it again',
  },
  async run({ address, reason, undo, registry, dry_run }, context) {
    if ((reason !== undefined) === undo) throw invalidOption('give a --reason, or --undo');
    const skill = await chooseSkill(address, { registry }, context);
    const { version = '' } = skill;
    if (!Version.safeParse(version).success)
      throw invalidOption(`name one version, such as ${skill.address}@1.2.0`);
    const yanked = reason ?? null;
    const result = { registry: skill.url, name: skill.address, version, yanked, dry_run };
    if (dry_run) return result;
    const path = { ...skill.path, version };
    const answer = await (await skill.account()).call('yankVersion', { path, body: { yanked } });
    return { ...result, yanked: answer.yanked };
  },
  text({ name, version, yanked, dry_run }) {
    const what = makeVisible(`${name}@${version}`);
    if (yanked === null) return `${dry_run ? 'would offer' : 'offering'} ${what} again\n`;
    return `${dry_run ? 'would yank' : 'yanked'} ${what}: ${makeVisible(yanked)}\n`;
  },
});
