// The list of skills.

import { matchSkills, type SkillCatalog, type SkillRecord } from '../../../read/catalog/index.ts';
import type { Point } from '../../pages/index.ts';
import { showPlace, withoutHome } from './show-place.ts';
import { type ShownVerdict, type SkillRow, skillRow, verdictOf } from './skill-facts.ts';
import type { Look, StudioState } from './studio-state.ts';

/** Rows of the list are in this order. */
type SkillOrder = 'name' | 'reads' | 'tokens' | 'verdict';

/** One page of the list. */
export interface SkillsView {
  readonly skills: readonly SkillRow[];
  /** Skills that match the filter, and all of them. */
  readonly matching: number;
  readonly total: number;
  readonly filter: {
    readonly q: string;
    readonly scope: SkillRow['scope'] | null;
    readonly verdict: ShownVerdict | null;
    readonly order: SkillOrder;
    /** Counted from 1. */
    readonly page: number;
    readonly pages: number;
  };
  /** Over all skills. */
  readonly totals: {
    readonly accesses: number;
    readonly tokensServed: number;
    readonly tokensSaved: number;
    readonly errors: number;
    readonly emptySearches: number;
    readonly updates: number;
    readonly byVerdict: Readonly<Record<ShownVerdict, number>>;
  };
  /** Accesses of all skills a day, oldest first; the days without any are there with 0. */
  readonly days: readonly Point[];
  /** Skills that could not be read. */
  readonly problems: readonly { readonly place: string; readonly why: string }[];
}

/** Skills on one page. */
export const PAGE_SIZE = 50;
/** Of fewer skills all are scanned, those of the page first. */
const FEW_SKILLS = 1000;
/** Days of a chart. */
const DAYS = 30;

/** Choice of skills to list. */
interface SkillsRequest {
  readonly q: string;
  readonly scope: SkillRow['scope'] | null;
  readonly verdict: ShownVerdict | null;
  readonly order: SkillOrder;
  readonly page: number;
  /** Skills on the page; all of an export are on one. */
  readonly size?: number;
}

/** One page of the list. */
export async function readSkills(
  request: SkillsRequest,
  look: Look,
  state: StudioState,
): Promise<SkillsView> {
  const { q, scope, verdict, order, size = PAGE_SIZE } = request;
  const { catalog, opened, context } = look;
  const found = q.trim() === '' ? undefined : new Set(matchSkills(catalog, q, { opened }));
  const isPlain = found === undefined && scope === null && verdict === null;
  const matching = isPlain
    ? look.named
    : look.named.filter(
        (skill) =>
          found?.has(skill) !== false &&
          (scope === null || skill.scope === scope) &&
          (verdict === null || verdictOf(skill, look, state) === verdict),
      );
  const pages = Math.max(1, Math.ceil(matching.length / size));
  const page = Math.min(Math.max(1, request.page), pages);
  const rows = inOrder(matching, order, { look, state }).slice((page - 1) * size, page * size);
  const unscanned = rows.filter((skill) => verdictOf(skill, look, state) === 'unknown');
  const others = catalog.skills.length <= FEW_SKILLS ? look.named : [];
  const wanted = new Set([
    ...unscanned,
    ...others.filter((skill) => verdictOf(skill, look, state) === 'unknown'),
  ]);
  if (wanted.size > 0) state.verdicts.want([...wanted]);
  const { totals } = state.usage;
  return {
    skills: await Promise.all(rows.map((skill) => skillRow(skill, look, state))),
    matching: matching.length,
    total: catalog.skills.length,
    filter: { q, scope, verdict, order, page, pages },
    totals: {
      accesses: totals.accesses,
      tokensServed: totals.tokensServed,
      tokensSaved: totals.tokensSaved,
      errors: totals.errors,
      emptySearches: totals.emptySearches,
      ...sumUp(look, state),
    },
    days: lastDays(state.front.now()).map((day) => ({ label: day, value: state.usage.days.get(day) ?? 0 })),
    problems: catalog.errors.map(({ path, message }) => ({
      place: showPlace(path, context.workspace),
      why: withoutHome(message, context.workspace.home),
    })),
  };
}

/** The last days in UTC, oldest first. */
export function lastDays(now: Date): string[] {
  return Array.from({ length: DAYS }, (_, at) =>
    new Date(now.getTime() - (DAYS - 1 - at) * 86_400_000).toISOString().slice(0, 10),
  );
}

const worstFirst: readonly ShownVerdict[] = ['danger', 'caution', 'unknown', 'clean'];

function inOrder(
  skills: readonly SkillRecord[],
  order: SkillOrder,
  { look, state }: { look: Look; state: StudioState },
): readonly SkillRecord[] {
  if (order === 'name') return skills;
  const rank = {
    reads: (skill: SkillRecord) => -state.usage.of(skill.dir).accesses,
    tokens: (skill: SkillRecord) => -(look.facts.tokens(skill) ?? -1),
    verdict: (skill: SkillRecord) => worstFirst.indexOf(verdictOf(skill, look, state)),
  }[order];
  const ranks = new Map(skills.map((skill) => [skill, rank(skill)]));
  return skills.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

type Sums = Pick<SkillsView['totals'], 'updates' | 'byVerdict'>;

const sums = new WeakMap<SkillCatalog, { readonly editions: readonly unknown[]; readonly sums: Sums }>();

/** Updates and verdicts of all skills; counted again when one of them may have changed. */
function sumUp(look: Look, state: StudioState): Sums {
  const editions = [look.facts.edition, state.verdicts.edition];
  const known = sums.get(look.catalog);
  if (known?.editions.every((edition, at) => edition === editions[at])) return known.sums;
  const byVerdict = { clean: 0, caution: 0, danger: 0, unknown: 0 };
  let updates = 0;
  for (const skill of look.catalog.skills) {
    byVerdict[verdictOf(skill, look, state)] += 1;
    if ((look.facts.installed(skill)?.facts.update ?? null) !== null) updates += 1;
  }
  sums.set(look.catalog, { editions, sums: { byVerdict, updates } });
  return { byVerdict, updates };
}
