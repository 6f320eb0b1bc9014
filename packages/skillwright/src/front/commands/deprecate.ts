// skc deprecate: tells users of a published skill to use something else.

import * as z from 'zod';
import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { Reason } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { flag, registryFields, text } from './fields.ts';
import { changesRegistry, chooseSkill } from './registry-choice.ts';

/** Deprecates a skill, or undoes that. */
export const deprecate = defineCommand({
  fields: {
    address: text('The skill: @owner/name', { required: true }),
    reason: text('Why, and what to use instead; everybody who has it installed sees it', { schema: Reason }),
    undo: flag('The skill is no longer deprecated'),
    ...registryFields,
  },
  positionals: ['address'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    deprecated: z.string().nullable().describe('The reason, or null'),
    dry_run: z.boolean(),
  }),
  ...changesRegistry,
  about:
    'Every version stays installable. `skc outdated`, `skc list` and `skc install` show the reason. To withdraw one version, use `skc yank`.',
  examples: {
    "skc deprecate @acme/pdf --reason 'use @acme/documents'": 'deprecate a skill',
    'skc deprecate @acme/pdf --undo': 'undo it',
  },
  async run({ address, reason, undo, registry, dry_run }, context) {
    if ((reason !== undefined) === undo) throw invalidOption('give a --reason, or --undo');
    const help = `to withdraw one version: skc yank ${address} --reason '…'`;
    const whole = ['a skill is deprecated as a whole', help] as const;
    const skill = await chooseSkill(address, { registry, whole }, context);
    const result = { registry: skill.url, name: skill.address, deprecated: reason ?? null, dry_run };
    if (dry_run) return result;
    const body = { deprecated: reason ?? null };
    const { deprecated } = await (await skill.account()).call('changeSkill', { path: skill.path, body });
    return { ...result, deprecated };
  },
  text({ name, deprecated, dry_run }) {
    const shown = makeVisible(name);
    if (deprecated === null)
      return `${shown} ${dry_run ? 'would no longer be' : 'is no longer'} deprecated\n`;
    return `${shown} ${dry_run ? 'would be' : 'is now'} deprecated: ${makeVisible(deprecated)}\n`;
  },
});
