// skc access: who sees a published skill, and who may publish it.

import * as z from 'zod';
import { invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { defineCommand } from './define-command.ts';
import { registryFields } from './registry-choice.ts';

/** Changes the visibility of a skill, and whether only trusted publishers may publish it. */
export const access = defineCommand({
  input: z.strictObject({
    address: z.string().describe('The skill: @owner/name'),
    visibility: z
      .enum(['public', 'private'])
      .optional()
      .describe('public: everybody can read it; private: only members of its owner'),
    require_provenance: z
      .boolean()
      .optional()
      .describe('Accept new versions from trusted publishers in CI only'),
    ...registryFields,
  }),
  positionals: ['address', 'visibility'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    visibility: z.enum(['public', 'private']).nullable().describe('Null in a dry run that leaves it'),
    require_provenance: z.boolean().nullable().describe('Null: not changed'),
    dry_run: z.boolean(),
  }),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'A skill is private until you make it public. Everybody may copy a public skill, so making it private again does not call copies back.',
  examples: [
    { line: 'skc access @acme/pdf public', note: 'let everybody read and install it' },
    { line: 'skc access @acme/pdf --require-provenance', note: 'accept versions from CI only' },
  ],
  async run({ address: text, visibility, require_provenance, registry, dry_run }, context) {
    const { chooseRegistry, openAccount, readSkillAddress } = await import('./registry-choice.ts');
    if (visibility === undefined && require_provenance === undefined)
      throw invalidOption('nothing to change', 'say public or private, or pass --require-provenance');
    const { address, owner, name, version } = readSkillAddress(text);
    if (version !== undefined) throw invalidOption('access is set for the skill, not for one version of it');
    const chosen = await chooseRegistry({ registry, owner }, context);
    const result = {
      registry: chosen.url,
      name: address,
      visibility: visibility ?? null,
      require_provenance: require_provenance ?? null,
      dry_run,
    };
    if (dry_run) return result;
    const account = await openAccount(chosen, context);
    const changed = await account.call('changeSkill', {
      path: { owner, name },
      body: { visibility, requireProvenance: require_provenance },
    });
    return { ...result, visibility: changed.visibility };
  },
  text({ name, visibility, require_provenance, dry_run }) {
    const facts = [
      ...(visibility === null ? [] : [visibility]),
      ...(require_provenance === null
        ? []
        : [require_provenance ? 'published from CI only' : 'published by any publisher']),
    ].join(', ');
    return `${makeVisible(name)} ${dry_run ? 'would be' : 'is now'} ${facts}\n`;
  },
});
