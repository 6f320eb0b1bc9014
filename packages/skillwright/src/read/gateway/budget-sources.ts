// Fits a file list into a budget: collapses deep directories first, then cuts the list.

import { estimateTokens } from '../../base/tokens/index.ts';
import { listSources, type SourceListing, type SourcesRequest } from './list-sources.ts';

/** A listing, and how the budget changed it. */
interface BudgetedSources extends SourceListing {
  /** Present when the budget collapsed directories or cut the list. */
  readonly budgeted?: { readonly depth: number; readonly tokens: number };
}

const MAX_DEPTH = 16;

/** Reserved for the line on how to get the rest. */
const RESERVE = 60;

/** Lists the skill in `root` with as many levels as fit into `budget` tokens. */
export function budgetSources(root: string, request: SourcesRequest, budget: number): BudgetedSources {
  const whole = listSources(root, request);
  const tokens = costOf(whole);
  if (tokens <= budget) return whole;
  const room = Math.max(1, budget - RESERVE);
  for (let depth = Math.min(request.depth ?? MAX_DEPTH, MAX_DEPTH) - 1; depth > 0; depth--) {
    const listing = listSources(root, { ...request, depth });
    if (costOf(listing) <= room) return { ...listing, budgeted: { depth, tokens } };
  }
  const flat = listSources(root, { ...request, depth: 1 });
  let left = room;
  const fitting = flat.entries.findIndex((entry) => {
    left -= estimateTokens(lineOf(entry.path));
    return left < 0;
  });
  const limit = Math.max(1, fitting === -1 ? flat.entries.length : fitting);
  return { ...listSources(root, { ...request, depth: 1, limit }), budgeted: { depth: 1, tokens } };
}

const costOf = ({ entries }: SourceListing) =>
  estimateTokens(entries.map(({ path }) => lineOf(path)).join(''));

/** Approximate text of an entry in the tree. */
const lineOf = (path: string) => `│   ├── ${path.slice(path.lastIndexOf('/') + 1)}\n`;
