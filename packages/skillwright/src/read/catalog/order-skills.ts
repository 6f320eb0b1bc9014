// Orders skills by precedence: project before user before bundled. Drops nothing.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import type { SkillRecord, SkillScope } from './skill-record.ts';

/** The scopes by precedence. */
export const scopes: readonly SkillScope[] = ['project', 'user', 'bundled'];

/** Compares scopes by precedence. */
export function compareScopes(a: SkillScope, b: SkillScope): number {
  return a === b ? 0 : scopes.indexOf(a) - scopes.indexOf(b);
}

/**
 * The records by scope, name and precedence, each with those it shadows, and a W004 for every shadowed one.
 * `rankOf` ranks the roots of one scope: lower comes first.
 */
export function orderSkills(
  records: SkillRecord[],
  rankOf: (source: SkillRecord['source']) => number,
): { skills: SkillRecord[]; diagnostics: Diagnostic[] } {
  records.sort(
    (a, b) =>
      compareBytes(a.name, b.name) ||
      compareScopes(a.scope, b.scope) ||
      rankOf(a.source) - rankOf(b.source) ||
      compareBytes(a.path, b.path),
  );
  const diagnostics: Diagnostic[] = [];
  for (let start = 0, end = 1; start < records.length; start = end, end++) {
    while (records[end]?.name === records[start]!.name) end++;
    if (end - start > 1) diagnostics.push(...markShadows(records, start, end));
  }
  const skills = scopes.flatMap((scope) => records.filter((record) => record.scope === scope));
  return { skills, diagnostics };
}

/** Records of one name, by precedence, from `start` up to `end`. */
function markShadows(records: SkillRecord[], start: number, end: number): Diagnostic[] {
  const group = records.slice(start, end);
  const paths = group.map(({ path }) => path);
  group.forEach((record, position) => {
    records[start + position] = {
      ...record,
      shadows: paths.slice(position + 1),
    };
  });
  return group.slice(1).map(({ name, path }) => {
    const detail = `  ${path}\n  comes after ${paths[0]}`;
    return diagnose('W004', { skill: name }, { detail, data: { path, by: paths[0] } });
  });
}
