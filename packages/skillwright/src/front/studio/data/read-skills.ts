// The list of skills.

import { matchSkills, type SkillRecord } from '../../../read/catalog/index.ts';
import { showPlace, withoutHome } from './show-place.ts';
import { type ShownVerdict, type SkillRow, skillRow, verdictOf } from './skill-facts.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import type { UseCount } from './usage-counts.ts';

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
  readonly totals: UseCount & {
    readonly updates: number;
    readonly byVerdict: Readonly<Record<ShownVerdict, number>>;
  };
  /** Accesses of all skills, by day. */
  readonly days: Readonly<Record<string, number>>;
  /** Skills that could not be read. */
  readonly problems: readonly { readonly place: string; readonly why: string }[];
}

/** Skills on one page. */
export const PAGE_SIZE = 50;
/** Of fewer skills all are scanned, those of the page first. */
const FEW_SKILLS = 1000;
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
  const { catalog, sealed, context } = look;
  const found = q.trim() === '' ? undefined : new Set(matchSkills(catalog, q, { sealed }));
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
  return {
    skills: await Promise.all(rows.map((skill) => skillRow(skill, look, state))),
    matching: matching.length,
    total: catalog.skills.length,
    filter: { q, scope, verdict, order, page, pages },
    totals: { ...state.usage.totals, ...sumUp(look, state) },
    days: Object.fromEntries(state.usage.days),
    problems: catalog.errors.map(({ path, message }) => ({
      place: showPlace(path, context.workspace),
      why: withoutHome(message, context.workspace.home),
    })),
  };
}

const worstFirst: readonly ShownVerdict[] = ['danger', 'caution', 'unknown', 'clean'];

function inOrder(
  skills: readonly SkillRecord[],
  order: SkillOrder,
  { look, state }: { look: Look; state: StudioState },
): readonly SkillRecord[] {
  if (order === 'name') return skills;
  const rank = {
    reads: (skill: SkillRecord) => -state.usage.of(skill.dir).count,
    tokens: (skill: SkillRecord) => -(look.facts.tokens(skill) ?? -1),
    verdict: (skill: SkillRecord) => worstFirst.indexOf(verdictOf(skill, look, state)),
  }[order];
  const ranks = new Map(skills.map((skill) => [skill, rank(skill)]));
  return skills.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

/** Updates and verdicts of all skills. */
function sumUp(look: Look, state: StudioState): Pick<SkillsView['totals'], 'updates' | 'byVerdict'> {
  const byVerdict = { clean: 0, caution: 0, danger: 0, unknown: 0 };
  let updates = 0;
  for (const skill of look.catalog.skills) {
    byVerdict[verdictOf(skill, look, state)] += 1;
    if ((look.facts.installed(skill)?.facts.update ?? null) !== null) updates += 1;
  }
  return { byVerdict, updates };
}
