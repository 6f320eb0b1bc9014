// skc access: who sees a published skill, and who may publish it.

import * as z from 'zod';
import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { defineCommand, linesOf } from './define-command.ts';
import { choice, registryFields, text } from './fields.ts';
import { changesRegistry, chooseSkill } from './registry-choice.ts';

/** Changes the visibility of a skill, and whether only trusted publishers may publish it. */
export const access = defineCommand({
  fields: {
    address: text('The skill: @owner/name', { required: true }),
    visibility: choice(
      ['public', 'private'],
      'public: everybody can read it; private: only members of its owner',
    ),
    require_provenance: { type: 'boolean', about: 'Accept new versions from trusted publishers in CI only' },
    ...registryFields,
  },
  positionals: ['address', 'visibility'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    visibility: z.enum(['public', 'private']).nullable().describe('Null in a dry run that leaves it'),
    require_provenance: z.boolean().nullable().describe('Null: not changed'),
    dry_run: z.boolean(),
  }),
  ...changesRegistry,
  about:
    'A skill is private until you make it public. Everybody may copy a public skill, so making it private again does not call copies back.',
  examples: {
    'skc access @acme/pdf public': 'let everybody read and install it',
    'skc access @acme/pdf --require-provenance': 'accept versions from CI only',
  },
  async run({ address, visibility, require_provenance, registry, dry_run }, context) {
    if (visibility === undefined && require_provenance === undefined)
      throw invalidOption('nothing to change', 'say public or private, or pass --require-provenance');
    const whole = ['access is set for the skill, not for one version of it'] as const;
    const skill = await chooseSkill(address, { registry, whole }, context);
    const result = {
      registry: skill.url,
      name: skill.address,
      visibility: visibility ?? null,
      require_provenance: require_provenance ?? null,
      dry_run,
    };
    if (dry_run) return result;
    const account = await skill.account();
    const changed = await account.call('changeSkill', {
      path: skill.path,
      body: { visibility, requireProvenance: require_provenance },
    });
    return { ...result, visibility: changed.visibility };
  },
  text({ name, visibility, require_provenance, dry_run }) {
    const publishers = require_provenance ? 'published from CI only' : 'published by any publisher';
    const facts = linesOf([visibility, require_provenance !== null && publishers]).join(', ');
    return [`${makeVisible(name)} ${dry_run ? 'would be' : 'is now'} ${facts}`];
  },
});
