// The outline of a skill: its headings from the index, cut to a budget.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { isEvalFile, MAX_HEADINGS } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { hasSections } from '../index/index.ts';
import type { ReadableIndex } from './open-gateway.ts';

/** One heading and the location of its section. */
export interface OutlineHeading {
  level: number;
  text: string;
  file: string;
  anchor: string;
  start_line: number;
  end_line: number;
  /** First line of the text before it that belongs to its section, if there is any. */
  from_line?: number;
}

/** The headings, files in bytewise order, and a W013 for each file with more headings than listed. */
export interface Outline {
  readonly headings: OutlineHeading[];
  /** Total number; more than listed when a limit was given. */
  readonly total: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly unlisted: readonly UnlistedFile[];
}

/** A Markdown file that an outline leaves out: one with evals, or one that is not text or too large. */
export interface UnlistedFile {
  file: string;
  why: 'evals' | 'unreadable';
}

/** The entry of a Markdown file that is not indexed. */
export const unlistedFile = (file: string): UnlistedFile => ({
  file,
  why: isEvalFile(file) ? 'evals' : 'unreadable',
});

/** W013 for a file with more headings than listed. */
export const cutAt = (file: string): Diagnostic => diagnose('W013', { file, limit: String(MAX_HEADINGS) });

/** The headings of an indexed skill; with a limit, the first ones. For skills that may be read in full. */
export function outlineIndexed(
  { index, files, reach }: ReadableIndex,
  { maxLevel, limit }: { readonly maxLevel: number; readonly limit?: number | undefined },
): Outline {
  return {
    ...index.outline(maxLevel, reach.isWhole ? limit : undefined),
    diagnostics: files.flatMap(({ path, cutHeadings }) => (cutHeadings ? [cutAt(path)] : [])),
    unlisted: files.flatMap(({ path, indexed }) =>
      indexed || !hasSections(path) ? [] : [unlistedFile(path)],
    ),
  };
}

/** Kept headings, and a summary of the rest. */
interface BudgetedOutline<Heading> {
  readonly headings: Heading[];
  /** Undefined when everything is kept. */
  readonly leftOut: LeftOutHeadings | undefined;
}

/** Summary of the parts an outline leaves out. */
interface LeftOutHeadings {
  readonly headings: number;
  /** Files that are not listed at all. */
  readonly files: number;
  /** Number of headings left out per file, largest first. */
  readonly byFile: readonly { readonly file: string; readonly headings: number }[];
  /** Cost of the whole outline. */
  readonly tokens: number;
}

/** Reserved for the lines about the parts left out. */
const RESERVE = 120;

/** Cost of a file with headings left out, besides its name. */
const MARK = 4;

/** As much of an outline as fits into `budget` tokens, in the same order. */
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
  /** Cost of a level: its headings, and the names of the files without headings above it. */
  const costOfLevel = (level: number): number => {
    let sum = 0;
    for (const heading of headings) if (heading.level === level) sum += costFor(heading);
    for (const { file, first } of files) if (first === level) sum += nameCost(file);
    return sum;
  };
  const room = Math.max(0, budget - RESERVE);
  // From the top down until the budget is spent: most headings of a large skill need not be counted.
  let level = 0;
  let spent = 0;
  let total = 0;
  for (let next = 1; next <= 6 && total <= budget; next++) {
    total += costOfLevel(next);
    if (total <= room) [level, spent] = [next, total];
  }
  if (total <= budget) return { headings: [...headings], leftOut: undefined };

  // Levels below a file's own first level count from there, as below a title.
  const kept = new Set(headings.filter((heading) => heading.level <= level));
  let left = room - spent;
  // Sorted by path, and stable within one rank.
  const inOrder = files.toSorted((a, b) => a.rank - b.rank);
  // The next level, file by file, as far as the budget goes: when not even the titles fit, some of the files.
  for (const { file, own } of inOrder) {
    const next = own.filter((heading) => heading.level === level + 1);
    const isNew = own.every((heading) => !kept.has(heading));
    const cost = next.reduce((sum, heading) => sum + costFor(heading), isNew ? nameCost(file) : 0);
    if (next.length === 0 || cost > left) continue;
    for (const heading of next) kept.add(heading);
    left -= cost;
  }
  // A single file may be too long: keep its beginning.
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
  // An anchor may follow when two headings have the same text.
  return estimateTokens(`${'  '.repeat(level)}${'#'.repeat(level)} ${text || anchor}\n`);
}
