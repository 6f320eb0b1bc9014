// Checks that the list of skills fits the room agents have for it.

import { estimateTokens } from '../../../base/tokens/index.ts';
import { fitCatalog, renderAvailableSkills } from '../../../read/catalog/index.ts';
import { isUserOnly } from '../../../skill/judge/index.ts';
import { nameFor, type SeenAgent, skillsOf } from '../agents-in-sight.ts';
import { defineCheck, type Fault } from '../check.ts';
import type { Survey } from '../survey.ts';

/** Reports lists that are too long for an agent. */
export const listingBudget = defineCheck({
  id: 'listing-budget',
  group: 'what agents see',
  summary: 'The list of skills fits the room agents have for it.',
  async find(survey) {
    const faults = survey.agents.flatMap(checkAgent);
    const own = await checkOwn(survey);
    return own === undefined ? faults : [...faults, own];
  },
});

function checkAgent(seen: SeenAgent): Fault[] {
  const { listing, label, description: rule } = seen.facts;
  if (listing === undefined) return [];
  const lines = skillsOf(seen).flatMap((one) => {
    const { frontmatter, problem } = one.skill.entry;
    if (problem !== undefined || (seen.facts.honoursDisabled && isUserOnly(frontmatter))) return [];
    const texts = [frontmatter.description, rule.over === 'cut' ? frontmatter.when_to_use : undefined];
    const said = texts.filter((text) => typeof text === 'string').join(' ');
    const shown = rule.over === 'cut' ? [...said].slice(0, rule.max).join('') : said;
    const place = listing.unit === 'characters' ? ` (file: ${one.skill.place}/SKILL.md)` : '';
    return [`- ${nameFor(seen.facts, one)}: ${shown}${place}`];
  });
  const text = lines.join('\n');
  const size = listing.unit === 'tokens' ? estimateTokens(text) : [...text].length;
  if (size <= listing.max) return [];
  return [
    {
      severity: 'warning',
      subject: seen.agent.id,
      message: `the list of ${lines.length} skills takes ${count(size)} ${listing.unit}, but ${label} has room for ${count(listing.max)}`,
      why: `The limit is ${listing.rule}; in a longer list ${listing.over}.`,
      fix: 'remove unused skills, or shorten descriptions',
    },
  ];
}

async function checkOwn({ config, catalog }: Survey): Promise<Fault | undefined> {
  const listed = ((await catalog())?.skills ?? []).filter(
    ({ enabled, available, frontmatter }) => enabled && available && !isUserOnly(frontmatter),
  );
  const { max_entries: entries, max_bytes: bytes } = config.catalog;
  const { shortened, missing } = fitCatalog(listed, {
    render: renderAvailableSkills,
    budget: { entries, bytes },
  });
  if (shortened + missing === 0) return undefined;
  const effects = [
    ...(shortened === 0 ? [] : [`${count(shortened)} descriptions are shortened`]),
    ...(missing === 0 ? [] : [`${count(missing)} skills are not shown`]),
  ];
  return {
    severity: 'warning',
    subject: 'skc',
    message: `the list of ${count(listed.length)} skills does not fit skc's own budget`,
    why: `The budget is ${count(entries)} skills and ${count(bytes)} bytes: ${effects.join(', ')}.`,
    fix: "remove skills, switch them off with 'skc skills --disable', or raise catalog.max_entries and catalog.max_bytes",
  };
}

const count = (number: number) => number.toLocaleString('en');
