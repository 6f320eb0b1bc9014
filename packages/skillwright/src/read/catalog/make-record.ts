// Makes a catalog record from a SKILL.md.

import { sep } from 'node:path';
import { type Environment, findProgram, isPathGiven } from '../../base/files/index.ts';
import { toolVersion } from '../../base/version.ts';
import { splitCommas, unreachedVersion } from '../../skill/format/index.ts';
import { namesOfSkill, SKILL_FILE } from '../../skill/skill/index.ts';
import type { SwitchedOff } from '../../skill/workspace/index.ts';
import type { SkillEntry } from './skill-entry.ts';
import type { SkillRecord, SkillScope } from './skill-record.ts';

/** How a skill was found. */
export interface Finding {
  readonly entry: SkillEntry;
  readonly scope: SkillScope;
  readonly source: SkillRecord['source'];
  /** Where its stub is deployed; undefined when not compiled. */
  readonly deployed: readonly string[] | undefined;
}

/** Inputs of a record besides its file. */
export interface RecordContext {
  readonly off: SwitchedOff;
  readonly hasCommand: CommandFinder;
  /** False when the environment has no PATH, so commands cannot be found. */
  readonly isPathGiven: boolean;
  readonly readRequires: (data: Record<string, unknown>) => readonly string[];
}

const none: readonly string[] = [];

/** The record of one skill, without its rank among skills of the same name. */
export function makeRecord({ entry, scope, source, deployed }: Finding, context: RecordContext): SkillRecord {
  const { dir, name, frontmatter } = entry;
  return {
    id: entry.id,
    name,
    description: (frontmatter.description as string).trim(),
    path: dir + sep + SKILL_FILE,
    dir,
    scope,
    mtimeMs: entry.mtimeMs,
    digest: entry.digest,
    source,
    enabled: context.off.names.length === 0 || !context.off.has(namesOfSkill(entry), dir),
    ...findAvailability(frontmatter, context),
    shadows: none,
    compiled: deployed !== undefined,
    deployed: deployed ?? none,
    tags: readTags(frontmatter),
    ...(entry.gated ? { gated: true } : {}),
    frontmatter,
  };
}

/** Whether a skill can be used here; `reason` names the missing commands or the version of skc it needs. */
function findAvailability(
  frontmatter: SkillEntry['frontmatter'],
  context: Pick<RecordContext, 'hasCommand' | 'isPathGiven' | 'readRequires'>,
): Pick<SkillRecord, 'available' | 'reason'> {
  const missing = hasRequires({ frontmatter })
    ? context
        .readRequires(frontmatter as Record<string, unknown>)
        .filter((command) => !context.hasCommand(command))
    : none;
  const needed = unreachedVersion(frontmatter);
  const reasons = [
    ...(needed === undefined ? [] : [`needs skc ${needed} or newer; this is ${toolVersion}`]),
    ...(missing.length === 0
      ? []
      : [`${context.isPathGiven ? 'not on PATH' : 'no PATH was given to look for'}: ${missing.join(', ')}`]),
  ];
  return reasons.length === 0 ? { available: true } : { available: false, reason: reasons.join('; ') };
}

/** The same for a skill that no catalog lists. */
export async function availabilityIn(
  frontmatter: SkillEntry['frontmatter'],
  env: Environment,
): Promise<Pick<SkillRecord, 'available' | 'reason'>> {
  const isDemanding = hasRequires({ frontmatter });
  return findAvailability(frontmatter, {
    hasCommand: createCommandFinder(env),
    isPathGiven: isPathGiven(env),
    readRequires: isDemanding ? (await import('../../skill/format/requires.ts')).readRequires : () => none,
  });
}

/** True when a skill has requirements. */
export function hasRequires({ frontmatter }: Pick<SkillEntry, 'frontmatter'>): boolean {
  const { metadata } = frontmatter;
  return typeof metadata === 'object' && metadata !== null && 'requires' in metadata;
}

/** Tags, at the top level or in metadata: a list, or a text with commas. */
function readTags(frontmatter: SkillEntry['frontmatter']): readonly string[] {
  const { tags, metadata } = frontmatter;
  if (tags !== undefined) return tagsOf(tags);
  return typeof metadata === 'object' && metadata !== null
    ? tagsOf((metadata as { tags?: unknown }).tags)
    : none;
}

function tagsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return splitCommas(value);
  if (!Array.isArray(value)) return none;
  return value.filter((tag) => typeof tag === 'string' || typeof tag === 'number').map(String);
}

/** True when a command of this name is on the PATH. */
type CommandFinder = (command: string) => boolean;

/** Creates a finder that looks up each command once. */
export function createCommandFinder(env: Environment): CommandFinder {
  const known = new Map<string, boolean>();
  return (command) => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const isThere = findProgram(command, env) !== undefined;
    known.set(command, isThere);
    return isThere;
  };
}
