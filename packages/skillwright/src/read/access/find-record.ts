// Resolves a name or a path to one skill of the catalog. Never finds anything outside the catalog.

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { type Reason, refusal } from '../../skill/judge/index.ts';
import { namesOfSkill, SKILL_FILE } from '../../skill/skill/index.ts';
import { compareScopes, type SkillCatalog, type SkillRecord } from '../catalog/index.ts';
import { absolutePath, ambiguous, notFound } from './not-found.ts';

/** The requested skill. A path wins over a name. */
export interface SkillReference {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
}

/** A catalog, or a part of one. */
type KnownSkills = Pick<SkillCatalog, 'skills'>;

/** Choice among several skills of the name. */
export type NamePolicy = 'ambiguous' | 'precedence';

/** Context of a reference. */
export interface FindOptions {
  readonly cwd: string;
  readonly home: string;
  readonly policy: NamePolicy;
  /** Why a skill is hidden from the actor. */
  readonly hidden: (skill: SkillRecord) => Reason | undefined;
}

/** The skill, and those of the same name with lower precedence. */
export interface FoundRecord {
  readonly skill: SkillRecord;
  readonly shadowed: readonly SkillRecord[];
}

/**
 * The skill a reference means. E001 when there is none or it is disabled or unavailable, E005 when several share the
 * name, E060 when it is denied. Denial depends on the skill found, not on the spelling of the reference.
 */
export function findRecord(
  catalog: SkillCatalog,
  reference: SkillReference,
  options: FindOptions,
): FoundRecord {
  const { name, path } = reference;
  if (path !== undefined && path !== '') {
    const skill = recordAt(catalog, path, options);
    if (skill === undefined) throw notFound(path, visibleNames(catalog, options));
    const reason = options.hidden(skill);
    if (reason !== undefined) throw refusal(skill, reason);
    return { skill, shadowed: [] };
  }
  if (name === undefined || name === '') throw SkillwrightError.of('E100', { why: 'missing name or path' });
  const named = recordsNamed(catalog, name);
  const usable = named.filter((skill) => options.hidden(skill) === undefined);
  if (usable.length === 0) {
    if (named[0] === undefined) throw notFound(name, visibleNames(catalog, options));
    throw refusal(named[0], options.hidden(named[0])!);
  }
  const [skill, ...shadowed] = usable as [SkillRecord, ...SkillRecord[]];
  if (shadowed.length > 0 && options.policy === 'ambiguous')
    throw ambiguous(
      name,
      usable.map(({ path }) => path),
    );
  return { skill, shadowed };
}

const visibleNames = ({ skills }: SkillCatalog, { hidden }: FindOptions) =>
  skills.filter((skill) => hidden(skill) === undefined).map(({ name }) => name);

/**
 * The skills of a name, by precedence: those with that name; else those with that directory name; else those with any
 * such name, in any case.
 */
export function recordsNamed(catalog: KnownSkills, name: string): readonly SkillRecord[] {
  const { byName, byDirectory, byFoldedName } = lookupOf(catalog);
  return byName.get(name) ?? byDirectory.get(name) ?? byFoldedName.get(foldText(name)) ?? [];
}

/** The skill at a path: of its SKILL.md or directory, relative, with `~`, through links, or of a deployed stub. */
export function recordAt(
  catalog: KnownSkills,
  path: string,
  options: Pick<FindOptions, 'cwd' | 'home'>,
): SkillRecord | undefined {
  const { byPath } = lookupOf(catalog);
  const place = absolutePath(path, options);
  if (place === undefined) return undefined;
  const file = basename(place) === SKILL_FILE ? place : join(place, SKILL_FILE);
  return byPath.get(file) ?? byPath.get(realFile(file) ?? '') ?? byPath.get(realFile(place) ?? '');
}

interface Lookup {
  readonly byName: ReadonlyMap<string, readonly SkillRecord[]>;
  readonly byDirectory: ReadonlyMap<string, readonly SkillRecord[]>;
  readonly byFoldedName: ReadonlyMap<string, readonly SkillRecord[]>;
  readonly byPath: ReadonlyMap<string, SkillRecord>;
}

const lookups = new WeakMap<KnownSkills, Lookup>();

function lookupOf(catalog: KnownSkills): Lookup {
  const known = lookups.get(catalog);
  if (known !== undefined) return known;
  // The sort is stable: within a scope, catalog order is precedence.
  const skills = catalog.skills.toSorted((a, b) => compareScopes(a.scope, b.scope));
  const byPath = new Map<string, SkillRecord>();
  for (const skill of skills) {
    for (const place of skill.deployed) byPath.set(join(place, SKILL_FILE), skill);
    byPath.set(join(skill.dir, SKILL_FILE), skill);
  }
  for (const skill of skills) byPath.set(skill.path, skill);
  const lookup = {
    byName: Map.groupBy(skills, ({ name }) => name),
    byDirectory: Map.groupBy(skills, ({ dir }) => basename(dir)),
    byFoldedName: groupByFolded(skills),
    byPath,
  };
  lookups.set(catalog, lookup);
  return lookup;
}

function groupByFolded(skills: readonly SkillRecord[]): Map<string, SkillRecord[]> {
  const groups = new Map<string, SkillRecord[]>();
  for (const skill of skills)
    for (const key of new Set(namesOfSkill(skill).map(foldText)))
      groups.set(key, [...(groups.get(key) ?? []), skill]);
  return groups;
}

/** The file with links resolved. When the file is gone, the directory is enough: the record explains it better. */
function realFile(file: string): string | undefined {
  try {
    return join(realpathSync.native(dirname(file)), basename(file));
  } catch {
    // Missing or unreadable: not in the catalog either way.
    return undefined;
  }
}
