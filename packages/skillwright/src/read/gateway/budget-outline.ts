// An outline within a budget: the deepest levels are left out first, then files.

import { estimateTokens } from '../../base/tokens/index.ts';
import type { OutlineHeading } from './outline.ts';

/** The headings that are kept, and what is left out. */
export interface BudgetedOutline<Heading> {
  readonly headings: Heading[];
  /** Undefined when everything is kept. */
  readonly leftOut: LeftOutHeadings | undefined;
}

/** What an outline does not list. */
export interface LeftOutHeadings {
  readonly headings: number;
  /** Files of which nothing is listed. */
  readonly files: number;
  /** How many headings of each file are left out, those of the most first. */
  readonly byFile: readonly { readonly file: string; readonly headings: number }[];
  /** What the whole outline would cost. */
  readonly tokens: number;
}

/** Kept for the lines that say what is left out. */
const RESERVE = 120;

/** What a file with headings left out costs besides its name. */
const MARK = 4;

/** As much of an outline, its files in order, as `budget` tokens pay for, in the same order. */
export function budgetOutline<Heading extends OutlineHeading>(
  headings: readonly Heading[],
  budget: number,
): BudgetedOutline<Heading> {
  if (budget === Number.POSITIVE_INFINITY) return { headings: [...headings], leftOut: undefined };
  const costs = new Map<Heading, number>();
  const costFor = (heading: Heading): number => {
    const cost = costs.get(heading) ?? costOf(heading);
    costs.set(heading, cost);
    return cost;
  };
  const files = [...Map.groupBy(headings, ({ file }) => file)].map(([file, own]) => ({
    file,
    own,
    rank: rankOf(file),
    first: own.reduce((first, { level }) => Math.min(first, level), 6),
  }));
  /** What a level adds: its headings, and the names of the files that have none above it. */
  const costOfLevel = (level: number): number => {
    let sum = 0;
    for (const heading of headings) if (heading.level === level) sum += costFor(heading);
    for (const { file, first } of files) if (first === level) sum += nameCost(file);
    return sum;
  };
  const room = Math.max(0, budget - RESERVE);
  // From the top down, and no further than the budget: of a large skill most headings need not be counted.
  let level = 0;
  let spent = 0;
  let total = 0;
  for (let next = 1; next <= 6 && total <= budget; next++) {
    total += costOfLevel(next);
    if (total <= room) [level, spent] = [next, total];
  }
  if (total <= budget) return { headings: [...headings], leftOut: undefined };

  // What stands below a file's own first level counts as deep as below a title.
  const kept = new Set(headings.filter((heading) => heading.level <= level));
  let left = room - spent;
  // They come in the order of their paths, which stays among those of one rank.
  const inOrder = files.toSorted((a, b) => a.rank - b.rank);
  // The next level, file by file, as far as it goes: of a skill too large for its titles, some files.
  for (const { file, own } of inOrder) {
    const next = own.filter((heading) => heading.level === level + 1);
    const isNew = own.every((heading) => !kept.has(heading));
    const cost = next.reduce((sum, heading) => sum + costFor(heading), isNew ? nameCost(file) : 0);
    if (next.length === 0 || cost > left) continue;
    for (const heading of next) kept.add(heading);
    left -= cost;
  }
  // One file alone may be too long: then its beginning is kept.
  if (kept.size === 0 && inOrder[0] !== undefined) {
    left -= nameCost(inOrder[0].file);
    for (const heading of inOrder[0].own) {
      left -= costFor(heading);
      if (left < 0) break;
      kept.add(heading);
    }
  }
  const listed = headings.filter((heading) => kept.has(heading));
  const shown = new Set(listed.map(({ file }) => file));
  const byFile = inOrder
    .map(({ file, own }) => ({ file, headings: own.filter((heading) => !kept.has(heading)).length }))
    .filter((entry) => entry.headings > 0)
    .sort((a, b) => b.headings - a.headings);
  return {
    headings: listed,
    leftOut: {
      headings: headings.length - listed.length,
      files: files.filter(({ file }) => !shown.has(file)).length,
      byFile,
      get tokens() {
        return [1, 2, 3, 4, 5, 6].reduce((sum, each) => sum + costOfLevel(each), 0);
      },
    },
  };
}

/** The manifest comes first, then files near the root. */
const rankOf = (file: string) => (file === 'SKILL.md' ? 0 : file.split('/').length);

const nameCost = (file: string) => estimateTokens(`${file}\n`) + MARK;

function costOf({ level, text, anchor }: OutlineHeading): number {
  // An anchor may follow, where two headings read alike.
  return estimateTokens(`${'  '.repeat(level)}${'#'.repeat(level)} ${text || anchor}\n`);
}
