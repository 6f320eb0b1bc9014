// The list of skills.

import { matchSkills, type SkillRecord } from '../../../read/catalog/index.ts';
import type { Point } from '../../pages/index.ts';
import type { ShownVerdict, SkillOrder, SkillsView, StudioSkill } from '../views/skills-view.ts';
import { showPlace } from './show-place.ts';
import { skillRow, verdictOf } from './skill-row.ts';
import type { Look, StudioState } from './studio-state.ts';

/** Skills on one page. */
export const PAGE_SIZE = 50;
/** Days of a chart. */
const DAYS = 30;

/** What to list. */
export interface SkillsRequest {
  readonly q: string;
  readonly scope: StudioSkill['scope'] | null;
  readonly verdict: ShownVerdict | null;
  readonly order: SkillOrder;
  readonly page: number;
  /** Skills on the page; all of an export are on one. */
  readonly size?: number;
}

/** One page of the list. */
export async function readSkills(request: SkillsRequest, state: StudioState): Promise<SkillsView> {
  const look = await state.look();
  const { q, scope, verdict, order, size = PAGE_SIZE } = request;
  const { catalog, opened, context } = look;
  const verdicts = new Map(catalog.skills.map((skill) => [skill, verdictOf(skill, look, state)]));
  const found = new Set(q.trim() === '' ? catalog.skills : matchSkills(catalog, q, { opened }));
  const matching = look.named.filter(
    (skill) =>
      found.has(skill) &&
      (scope === null || skill.scope === scope) &&
      (verdict === null || verdicts.get(skill) === verdict),
  );
  const pages = Math.max(1, Math.ceil(matching.length / size));
  const page = Math.min(Math.max(1, request.page), pages);
  const rows = inOrder(matching, order, { look, state, verdicts }).slice((page - 1) * size, page * size);
  const unscanned = rows.filter((skill) => verdicts.get(skill) === 'unknown');
  if (unscanned.length > 0) state.verdicts.want(unscanned);
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
      updates: catalog.skills.filter((skill) => (look.facts.install(skill)?.update ?? null) !== null).length,
      byVerdict: countVerdicts(verdicts.values()),
    },
    days: lastDays(state.front.now(), (day) => state.usage.days.get(day) ?? 0),
    problems: catalog.errors.map(({ path, message }) => ({
      place: showPlace(path, context.workspace),
      why: withoutHome(message, context.workspace.home),
    })),
  };
}

/** A message that names the home directory as the user does. */
export const withoutHome = (text: string, home: string): string => text.replaceAll(`${home}/`, '~/');

/** A point for each of the last days, oldest first. */
export function lastDays(now: Date, countOf: (day: string) => number): Point[] {
  return Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(now.getTime() - (DAYS - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return { label: day, value: countOf(day) };
  });
}

const worstFirst: readonly ShownVerdict[] = ['danger', 'caution', 'unknown', 'clean'];

function inOrder(
  skills: readonly SkillRecord[],
  order: SkillOrder,
  {
    look,
    state,
    verdicts,
  }: { look: Look; state: StudioState; verdicts: ReadonlyMap<SkillRecord, ShownVerdict> },
): readonly SkillRecord[] {
  if (order === 'name') return skills;
  const rank = {
    reads: (skill: SkillRecord) => -state.usage.of(skill.dir).accesses,
    tokens: (skill: SkillRecord) => -(look.facts.tokens(skill) ?? -1),
    verdict: (skill: SkillRecord) => worstFirst.indexOf(verdicts.get(skill)!),
  }[order];
  const ranks = new Map(skills.map((skill) => [skill, rank(skill)]));
  return skills.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

function countVerdicts(verdicts: Iterable<ShownVerdict>): Record<ShownVerdict, number> {
  const counts = { clean: 0, caution: 0, danger: 0, unknown: 0 };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}
