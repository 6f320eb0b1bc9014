// The list of skills.

import { foldText } from '../../../base/markdown/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { readAttention } from './read-attention.ts';
import { showPlace, withoutHome } from './show-place.ts';
import { type ShownVerdict, type SkillRow, skillRow } from './skill-facts.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import type { TimeRange } from './usage-counts.ts';

/** Rows of the list are in this order. */
type SkillOrder = 'name' | 'reads' | 'used' | 'tokens' | 'verdict';

/** One page of the list. */
export type SkillsView = Awaited<ReturnType<typeof readSkills>>;

/** Skills on one page. */
export const PAGE_SIZE = 50;
/** Choice of skills to list. */
interface SkillsRequest {
  readonly q: string;
  readonly scope: SkillRow['scope'] | null;
  readonly verdict: ShownVerdict | null;
  readonly order: SkillOrder;
  readonly page: number;
  readonly range: TimeRange;
  /** Skills on the page; all of an export are on one. */
  readonly size?: number;
}

/** Reads it. */
export async function readSkills(request: SkillsRequest, look: Look, state: StudioState) {
  const { q, scope, verdict, order, range, size = PAGE_SIZE } = request;
  const { catalog, context, named } = look;
  const verdictOf = (skill: SkillRecord): ShownVerdict => state.verdicts.of(skill) ?? 'unknown';
  const words = foldText(q).split(' ').filter(Boolean);
  const matching = named.filter(
    (skill) =>
      words.every((word) => foldText(`${skill.name} ${skill.description}`).includes(word)) &&
      (scope === null || skill.scope === scope) &&
      (verdict === null || verdictOf(skill) === verdict),
  );
  const pages = Math.max(1, Math.ceil(matching.length / size));
  const page = Math.min(Math.max(1, request.page), pages);
  const ranks: Readonly<Record<SkillOrder, (skill: SkillRecord) => number>> = {
    name: ({ name }) => Number(words.length > 0 && !words.every((word) => foldText(name).includes(word))),
    reads: (skill) => -state.usage.of(skill.dir, range).reads,
    used: (skill) => -Date.parse(state.usage.of(skill.dir).last_access ?? '1970-01-01'),
    tokens: (skill) => -(look.facts.tokens(skill) ?? -1),
    verdict: (skill) => worstFirst.indexOf(verdictOf(skill)),
  };
  const rank = new Map(matching.map((skill) => [skill, ranks[order](skill)]));
  const rows = matching.toSorted((a, b) => rank.get(a)! - rank.get(b)!).slice((page - 1) * size, page * size);
  const byVerdict = { clean: 0, caution: 0, danger: 0, unknown: 0 };
  let updates = 0;
  for (const skill of catalog.skills) {
    byVerdict[verdictOf(skill)] += 1;
    if ((look.facts.installed(skill)?.facts.update ?? null) !== null) updates += 1;
  }
  const { usage } = state;
  return {
    skills: await Promise.all(rows.map((skill) => skillRow(skill, { look, range }, state))),
    /** Skills that match the filter, and all of them. */
    matching: matching.length,
    total: catalog.skills.length,
    /** Pages are counted from 1. */
    filter: { q, scope, verdict, order, page, pages, range: range.name },
    /** Over all skills, in the range and in the period before it; without one for the whole log. */
    totals: { ...usage.totals(range), updates, byVerdict },
    before: range.before === undefined ? null : usage.totals({ from: range.before, to: range.from }),
    /** Numbers of all skills in each part of the range. */
    chart: usage.chart(range),
    /** Skills and places that need a decision or an edit, the most urgent first. */
    attention: readAttention({ look, range }, state),
    /** Skills that could not be read. */
    problems: catalog.errors.map(({ path, message }) => ({
      place: showPlace(path, context.workspace),
      why: withoutHome(message, context.workspace.home),
    })),
  };
}

const worstFirst: readonly ShownVerdict[] = ['danger', 'caution', 'unknown', 'clean'];
