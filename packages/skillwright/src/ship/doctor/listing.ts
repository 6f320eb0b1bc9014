// The list of skills that an agent puts into the context of a conversation, and the room it has for it.

import { estimateTokens } from '../../base/tokens/index.ts';
import { isUserOnly } from '../../skill/judge/index.ts';
import type { AgentFacts } from './agent-facts.ts';
import { nameFor, type SeenAgent, type SeenEntry, skillsOf } from './agent-view.ts';

/** One skill of a list. */
interface ListedLine {
  readonly entry: SeenEntry;
  readonly name: string;
  /** In the unit of the list. */
  readonly size: number;
  /** True when the list is too long, and the descriptions before this one take all the room. */
  readonly isOver: boolean;
}

/** The list of one agent. The sizes of its lines add up to its size. */
export interface Listing {
  readonly lines: readonly ListedLine[];
  readonly size: number;
  readonly unit: 'characters' | 'tokens';
  /** The room, and what happens to a longer list; undefined for an agent without a known limit. */
  readonly limit: Pick<NonNullable<AgentFacts['listing']>, 'max' | 'rule' | 'over'> | undefined;
  /** Skills whose descriptions do not fit. */
  readonly over: number;
}

/** The list of an agent as it is now. */
export function readListing(seen: SeenAgent): Listing {
  const { listing, description: rule, honoursDisabled } = seen.facts;
  const unit = listing?.unit ?? 'tokens';
  const sizeOf = (text: string) => (unit === 'tokens' ? estimateTokens(text) : [...text].length);
  const max = listing?.max ?? Number.POSITIVE_INFINITY;
  const found = skillsOf(seen).flatMap((entry) => {
    const { frontmatter, problem } = entry.skill.entry;
    if (problem !== undefined || (honoursDisabled && isUserOnly(frontmatter))) return [];
    const texts = [frontmatter.description, rule.over === 'cut' ? frontmatter.when_to_use : undefined];
    const said = texts.filter((text) => typeof text === 'string').join(' ');
    const shown = rule.over === 'cut' ? [...said].slice(0, rule.max).join('') : said;
    const place = unit === 'characters' ? ` (file: ${entry.skill.place}/SKILL.md)` : '';
    const name = nameFor(seen.facts, entry);
    const bare = sizeOf(`- ${name}:${place}\n`);
    return [{ entry, name, bare, size: sizeOf(`- ${name}: ${shown}${place}\n`) }];
  });
  const size = found.reduce((sum, line) => sum + line.size, 0);
  let left = size <= max ? Number.POSITIVE_INFINITY : max - found.reduce((sum, { bare }) => sum + bare, 0);
  const lines = found.map(({ bare, ...line }) => {
    left -= line.size - bare;
    return { ...line, isOver: left < 0 };
  });
  return { lines, size, unit, limit: listing, over: lines.filter(({ isOver }) => isOver).length };
}
