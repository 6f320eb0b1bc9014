// From a name or a path to the one skill of the catalog that is meant. Nothing outside the catalog is ever found.

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { type Reason, refusal } from '../../skill/judge/index.ts';
import { namesOfSkill, SKILL_FILE } from '../../skill/skill/index.ts';
import { compareScopes, type SkillCatalog, type SkillRecord } from '../catalog/index.ts';
import { absolutePath, ambiguous, notFound } from './not-found.ts';

/** What is asked for. A path wins over a name. */
export interface SkillReference {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
}

/** A catalog, or a part of one. */
type KnownSkills = Pick<SkillCatalog, 'skills'>;

/** What to do when several skills have the name. */
export type NamePolicy = 'ambiguous' | 'precedence';

/** The surroundings of a reference. */
export interface FindOptions {
  readonly cwd: string;
  readonly home: string;
  readonly policy: NamePolicy;
  /** Why a skill is kept from whoever asks. */
  readonly hidden: (skill: SkillRecord) => Reason | undefined;
}

/** The skill, and those of the same name that it was preferred to. */
export interface FoundRecord {
  readonly skill: SkillRecord;
  readonly shadowed: readonly SkillRecord[];
}

/**
 * The skill a reference means. E001 when there is none or it is disabled or unavailable, E005 when several have the
 * name, E060 when it is denied: that is decided on the skill that was found, whatever was asked for.
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
 * The skills of a name, in order of precedence: those that are called so; else those whose directory is; else those that
 * go by it in any way, in any case.
 */
export function recordsNamed(catalog: KnownSkills, name: string): readonly SkillRecord[] {
  const { byName, byDirectory, byFoldedName } = lookupOf(catalog);
  return byName.get(name) ?? byDirectory.get(name) ?? byFoldedName.get(foldText(name)) ?? [];
}

/** The skill at a path: that of its SKILL.md or directory, relative, with `~`, through links, or of a deployed stub. */
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
  // The sort is stable: within a scope the catalog's own order is that of precedence.
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
    for (const key of new Set(namesOfSkill(skill.frontmatter, skill.dir).map(foldText)))
      groups.set(key, [...(groups.get(key) ?? []), skill]);
  return groups;
}

/** The file with links resolved. The directory alone is enough when the file is gone: the record says so better. */
function realFile(file: string): string | undefined {
  try {
    return join(realpathSync.native(dirname(file)), basename(file));
  } catch {
    // Nothing is there, or it may not be looked at: either way nothing that was catalogued.
    return undefined;
  }
}
