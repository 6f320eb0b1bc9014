// Reports parts of a skill that are dropped because they cannot be read.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { type FormatIssue, isMapping, readManifest, spellFieldPath, unknownEvent } from '../format/index.ts';
import type { Skill } from './open-skill.ts';

/** Fields whose entries have an effect, so dropping a malformed one matters. */
const activeFields = ['hooks', 'toolsets'] as const;
type ActiveField = (typeof activeFields)[number];

/** W017 for every unreadable entry of hooks and toolsets, W019 for events no agent raises. */
export function leftOutOf(
  { name, frontmatter }: Pick<Skill, 'name' | 'frontmatter'>,
  fields: readonly ActiveField[] = activeFields,
): Diagnostic[] {
  const given = fields.filter((field) => frontmatter[field] !== undefined && frontmatter[field] !== null);
  if (given.length === 0) return [];
  const { issues } = readManifest(Object.fromEntries(given.map((field) => [field, frontmatter[field]])));
  const { hooks } = frontmatter;
  const events = given.includes('hooks') && isMapping(hooks) ? Object.keys(hooks) : [];
  return [...issues.map((issue) => describeBrokenEntry(name, issue)), ...events.flatMap(describeEvent)];
}

/** W017 for one issue and its entry. */
export function describeBrokenEntry(skill: string, { path, message }: FormatIssue): Diagnostic {
  const entry = nameEntry(path);
  const what = message.startsWith(entry) ? message : `${entry}: ${message}`;
  return diagnose('W017', { skill, what }, { data: { field: path[0], path } });
}

/** W019 for an event that no agent is known to raise. */
export function describeEvent(event: string): Diagnostic[] {
  const help = unknownEvent(event);
  return help === undefined ? [] : [diagnose('W019', { event }, { help, data: { event } })];
}

/** `hooks.PreToolUse[0].hooks[1]`, without the invalid key inside the entry. */
function nameEntry(path: FormatIssue['path']): string {
  const last = path.findLastIndex((step) => typeof step === 'number');
  return spellFieldPath(last === -1 ? path.slice(0, 2) : path.slice(0, last + 1));
}
