// skc rate: one to five stars for a skill of a registry.

import * as z from 'zod';
import { formatCount, invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { SkillSummary } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { registryFields } from './registry-choice.ts';

/** Rates a skill, or takes the rating back. */
export const rate = defineCommand({
  input: z.strictObject({
    address: z.string().describe('The skill: @owner/name'),
    stars: z.number().int().min(1).max(5).optional().describe('One to five stars'),
    remove: z.boolean().default(false).describe('Take your rating back'),
    ...registryFields,
  }),
  positionals: ['address', 'stars'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    stars: z.number().int().nullable().describe('Your rating; null: taken back'),
    rating: SkillSummary.shape.rating,
    dry_run: z.boolean(),
  }),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about: 'Every account has one rating per skill; a new one replaces it.',
  examples: [
    { line: 'skc rate @acme/pdf 5', note: 'rate a skill' },
    { line: 'skc rate @acme/pdf --remove', note: 'take your rating back' },
  ],
  async run({ address: text, stars, remove, registry, dry_run }, context) {
    const { chooseRegistry, openAccount, readSkillAddress } = await import('./registry-choice.ts');
    if ((stars !== undefined) === remove) throw invalidOption('give one to five stars, or --remove');
    const { address, owner, name, version } = readSkillAddress(text);
    if (version !== undefined) throw invalidOption('a rating is for the skill, not for one version of it');
    const chosen = await chooseRegistry({ registry, owner }, context);
    const result = { registry: chosen.url, name: address, stars: stars ?? null, rating: null, dry_run };
    if (dry_run) return result;
    const account = await openAccount(chosen, context);
    const path = { owner, name };
    const { rating } =
      stars === undefined
        ? await account.call('unrateSkill', { path })
        : await account.call('rateSkill', { path, body: { stars } });
    return { ...result, rating };
  },
  text({ name, stars, rating, dry_run }) {
    const act = stars === null ? 'remove your rating of' : `give ${formatCount(stars, 'star')} to`;
    const acted = stars === null ? 'removed your rating of' : `gave ${formatCount(stars, 'star')} to`;
    const mean =
      rating === null ? '' : ` (${rating.mean.toFixed(1)} from ${formatCount(rating.count, 'rating')})`;
    return `${dry_run ? `would ${act}` : acted} ${makeVisible(name)}${mean}\n`;
  },
});
