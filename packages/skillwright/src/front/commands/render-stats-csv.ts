// Statistics for a spreadsheet: one line for each row, with the skill in front.

import { renderCsv } from './render-csv.ts';
import type { SkillRows, Statistics } from './statistics.ts';

/** The same rows as the JSON. */
export function renderStatsCsv({ skill, skill_path, query, data }: Statistics): string {
  const rows = (Array.isArray(data) ? data : [data]) as readonly object[];
  if (skill !== null) return renderCsv(rows.map((row) => ({ skill, skill_path, ...row })));
  if (query === 'summary' || query === 'prune') return renderCsv(rows as Record<string, unknown>[]);
  return renderCsv(
    (rows as SkillRows[]).flatMap(({ skill, skill_path, data }) =>
      data.map((row) => ({ skill, skill_path, ...row })),
    ),
  );
}
