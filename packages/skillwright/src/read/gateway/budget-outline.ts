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
  const costs = new Map(headings.map((heading) => [heading, costOf(heading)]));
  const files = [...Map.groupBy(headings, ({ file }) => file)].map(([file, own]) => ({
    file,
    own,
    rank: rankOf(file),
  }));
  const nameCost = new Map(files.map(({ file }) => [file, estimateTokens(`${file}\n`) + MARK]));
  // What each level adds: its headings, and the names of the files that have none above it.
  const added = [0, 0, 0, 0, 0, 0, 0];
  for (const { file, own } of files) {
    let first = 6;
    for (const heading of own) {
      added[heading.level]! += costs.get(heading)!;
      first = Math.min(first, heading.level);
    }
    added[first]! += nameCost.get(file)!;
  }
  const costDownTo = (level: number) => added.reduce((sum, cost, at) => (at <= level ? sum + cost : sum), 0);
  const tokens = costDownTo(6);
  if (tokens <= budget) return { headings: [...headings], leftOut: undefined };

  const room = Math.max(0, budget - RESERVE);
  let level = 6;
  while (level > 0 && costDownTo(level) > room) level -= 1;
  // What stands below a file's own first level counts as deep as below a title.
  const kept = new Set(headings.filter((heading) => heading.level <= level));
  let left = room - costDownTo(level);
  // They come in the order of their paths, which stays among those of one rank.
  const inOrder = files.toSorted((a, b) => a.rank - b.rank);
  // The next level, file by file, as far as it goes: of a skill too large for its titles, some files.
  for (const { file, own } of inOrder) {
    const next = own.filter((heading) => heading.level === level + 1);
    const isNew = own.every((heading) => !kept.has(heading));
    const cost = next.reduce(
      (total, heading) => total + costs.get(heading)!,
      isNew ? nameCost.get(file)! : 0,
    );
    if (next.length === 0 || cost > left) continue;
    for (const heading of next) kept.add(heading);
    left -= cost;
  }
  // One file alone may be too long: then its beginning is kept.
  if (kept.size === 0 && inOrder[0] !== undefined) {
    left -= nameCost.get(inOrder[0].file)!;
    for (const heading of inOrder[0].own) {
      left -= costs.get(heading)!;
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
      tokens,
    },
  };
}

/** The manifest comes first, then files near the root. */
const rankOf = (file: string) => (file === 'SKILL.md' ? 0 : file.split('/').length);

function costOf({ level, text, anchor }: OutlineHeading): number {
  // An anchor may follow, where two headings read alike.
  return estimateTokens(`${'  '.repeat(level)}${'#'.repeat(level)} ${text || anchor}\n`);
}
