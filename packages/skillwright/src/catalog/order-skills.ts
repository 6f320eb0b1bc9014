// Order and precedence: project before user before bundled, and nothing is dropped.

import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.ts';
import { compareBytes } from '../files/compare-paths.ts';
import type { SkillRecord, SkillScope } from './skill-record.ts';

const scopeOrder: Readonly<Record<SkillScope, number>> = { project: 0, user: 1, bundled: 2 };

/** Compares scopes by precedence. */
export function compareScopes(a: SkillScope, b: SkillScope): number {
  return scopeOrder[a] - scopeOrder[b];
}

/** A record and its place among those of one scope and name: the smaller comes first. */
export interface PlacedRecord {
  readonly record: SkillRecord;
  readonly rank: number;
}

/** The records by scope, name and precedence, each with those it shadows, and a W004 for every one that is shadowed. */
export function orderSkills(placed: PlacedRecord[]): { skills: SkillRecord[]; diagnostics: Diagnostic[] } {
  placed.sort(
    (a, b) =>
      compareScopes(a.record.scope, b.record.scope) ||
      compareBytes(a.record.name, b.record.name) ||
      a.rank - b.rank ||
      compareBytes(a.record.path, b.record.path),
  );
  const skills = placed.map(({ record }) => record);
  const byName = new Map<string, number | number[]>();
  skills.forEach(({ name }, index) => {
    const before = byName.get(name);
    byName.set(name, before === undefined ? index : [before, index].flat());
  });
  const diagnostics: Diagnostic[] = [];
  for (const [name, indexes] of byName) {
    if (typeof indexes === 'number') continue;
    const paths = indexes.map((index) => skills[index]!.path);
    indexes.forEach((index, position) => {
      skills[index] = { ...skills[index]!, shadows: paths.slice(position + 1) };
      if (position === 0) return;
      const data = { path: paths[position], by: paths[0] };
      const detail = `  ${paths[position]}\n  comes after ${paths[0]}`;
      diagnostics.push(diagnose('W004', { skill: name }, { detail, data }));
    });
  }
  return { skills, diagnostics };
}
