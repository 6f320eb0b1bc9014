// Fits the catalog into a prompt budget: shortens descriptions before it drops skills, touches the project's own last
// in both cases, and reports what it dropped.

import { estimateTokens } from '../../base/tokens/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { oneLine } from './escape-text.ts';
import { compareScopes } from './order-skills.ts';
import type { SkillRecord } from './skill-record.ts';

/** One skill in a prompt; texts are on one line and not yet escaped. */
interface ShownSkill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  /** `repo` for a project's skill: the wire name. */
  readonly scope: 'repo' | 'user' | 'bundled';
}

/** Input of a renderer. */
export interface CatalogView {
  readonly skills: readonly ShownSkill[];
  /** Number of skills not shown. */
  readonly missing: number;
  /** How to find those; on one line. */
  readonly hint: string;
  /** Whether discovery was cut short: some skills may be neither listed nor found. */
  readonly incomplete: boolean;
}

/** Renders a view as text. */
export type CatalogRenderer = (view: CatalogView) => string;

/** Size limits of the text. */
export interface CatalogBudget {
  readonly entries?: number | undefined;
  readonly bytes?: number | undefined;
  readonly tokens?: number | undefined;
}

/** Options for fitting. */
export interface FitOptions {
  readonly render: CatalogRenderer;
  readonly budget?: CatalogBudget;
  readonly estimateTokens?: ((text: string) => number) | undefined;
  readonly hint?: string | undefined;
  /** Whether discovery was cut short. */
  readonly incomplete?: boolean;
}

/** The text, and which skills it shows. */
export interface FittedCatalog {
  /** Empty when there are no skills, or when not even a notice about them fits. */
  readonly text: string;
  readonly shown: number;
  readonly shortened: number;
  readonly missing: number;
  /** Discovery was cut short: the text says that some skills may be neither listed nor found. */
  readonly incomplete: boolean;
  readonly bytes: number;
  readonly tokens: number;
}

/** Hint for a model that does not see all skills. */
export const SEARCH_HINT = 'Find them with skill_search and a few words about the task.';

/** Default budget of a prompt. */
export const defaultBudget = { entries: 200, bytes: 32 * 1024 } as const;

/** A description cut shorter than this is useless; fewer skills are better. */
const SHORTEST_DESCRIPTION = 48;
const LONGEST_DESCRIPTION = 4096;

/** Fits the skills a model may see into a budget. */
export function fitCatalog(skills: readonly SkillRecord[], options: FitOptions): FittedCatalog {
  const { render, hint = SEARCH_HINT, budget = {}, incomplete = false } = options;
  const estimate = options.estimateTokens ?? estimateTokens;
  const { entries = defaultBudget.entries, bytes = defaultBudget.bytes, tokens } = budget;
  const all = skills
    .toSorted((a, b) => compareScopes(a.scope, b.scope))
    .slice(0, Math.max(0, entries))
    .map(showSkill);
  const own = all.filter(({ scope }) => scope === 'repo').length;
  const view = (count: number, ownLimit: number, otherLimit: number): CatalogView => ({
    skills: all.slice(0, count).map((skill, index) => ({
      ...skill,
      description: shorten(skill.description, index < own ? ownLimit : otherLimit),
    })),
    missing: skills.length - count,
    hint: oneLine(hint),
    incomplete,
  });
  const measure = (candidate: CatalogView): FittedCatalog => {
    const text = candidate.skills.length + candidate.missing === 0 && !incomplete ? '' : render(candidate);
    return {
      text,
      shown: candidate.skills.length,
      shortened: candidate.skills.filter((skill, index) => skill.description !== all[index]!.description)
        .length,
      missing: candidate.missing,
      incomplete,
      bytes: Buffer.byteLength(text),
      tokens: text === '' ? 0 : estimate(text),
    };
  };
  const fits = (fitted: FittedCatalog) =>
    fitted.bytes <= bytes && (tokens === undefined || fitted.tokens <= tokens);
  const short = SHORTEST_DESCRIPTION;
  const long = all.reduce((most, { description }) => Math.max(most, description.length), short);
  const largest = (low: number, high: number, make: (value: number) => CatalogView) =>
    findLargest(low, high, (value) => {
      const fitted = measure(make(value));
      return fits(fitted) ? fitted : undefined;
    });
  return (
    largest(long, long, (limit) => view(all.length, limit, limit)) ??
    largest(short, long, (limit) => view(all.length, long, limit)) ??
    largest(short, long, (limit) => view(all.length, limit, short)) ??
    largest(0, all.length, (count) => view(count, short, short)) ?? {
      ...measure(view(0, short, short)),
      text: '',
      bytes: 0,
      tokens: 0,
    }
  );
}

/** The result for the largest value that has one, by binary search; sizes grow with the value. */
function findLargest<Result>(
  low: number,
  high: number,
  attempt: (value: number) => Result | undefined,
): Result | undefined {
  let [from, to] = [low, high];
  let best = attempt(from);
  if (best === undefined) return undefined;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    const result = attempt(middle);
    if (result === undefined) to = middle - 1;
    else [from, best] = [middle, result];
  }
  return best;
}

function showSkill({ name, description, path, scope, frontmatter }: SkillRecord): ShownSkill {
  const when = frontmatter.when_to_use;
  const whole = typeof when === 'string' ? `${description} ${when}` : description;
  return {
    name: oneLine(name),
    description: shorten(oneLine(whole), LONGEST_DESCRIPTION),
    path,
    scope: scope === 'project' ? 'repo' : scope,
  };
}
