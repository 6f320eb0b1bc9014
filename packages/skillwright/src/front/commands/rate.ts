// skc rate: one to five stars for a skill of a registry.

import * as z from 'zod';
import { formatCount, invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { SkillSummary } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { flag, integer, registryFields, text } from './fields.ts';
import { changesRegistry, chooseSkill } from './registry-choice.ts';

/** Rates a skill, or takes the rating back. */
export const rate = defineCommand({
  fields: {
    address: text('The skill: @owner/name', { required: true }),
    stars: integer('One to five stars', { min: 1, max: 5 }),
    remove: flag('Take your rating back'),
    ...registryFields,
  },
  positionals: ['address', 'stars'],
  output: z.object({
    registry: z.string(),
    name: z.string(),
    stars: z.number().int().nullable().describe('Your rating; null: taken back'),
    rating: SkillSummary.shape.rating,
    dry_run: z.boolean(),
  }),
  ...changesRegistry,
  about: 'Every account has one rating per skill; a new one replaces it.',
  examples: {
    'skc rate @acme/pdf 5': 'rate a skill',
    'skc rate @acme/pdf --remove': 'take your rating back',
  },
  async run({ address, stars, remove, registry, dry_run }, context) {
    if ((stars !== undefined) === remove) throw invalidOption('give one to five stars, or --remove');
    const whole = ['a rating is for the skill, not for one version of it'] as const;
    const { path, ...skill } = await chooseSkill(address, { registry, whole }, context);
    const result = { registry: skill.url, name: skill.address, stars: stars ?? null, rating: null, dry_run };
    if (dry_run) return result;
    const account = await skill.account();
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
