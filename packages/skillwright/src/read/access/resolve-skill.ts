// From a word or a reference to a skill: by path, in the stores, among the compiled ones, in the catalog.

import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoteWord, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { isDirectory, namesIn, readRealPath, typedPath } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { type Reason, refusal } from '../../skill/judge/index.ts';
import {
  buildRecord,
  hasSkillFile,
  type LocatedSkill,
  namesOfSkill,
  notASkill,
  SKILL_FILE,
  scopeOf,
} from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { compareScopes, type SkillCatalog, type SkillRecord } from '../catalog/index.ts';

/** Where names are looked up. */
interface NameLookup {
  /** The catalog, for names that are neither a path nor in a store. */
  catalog(options: { readonly fresh: boolean }): Promise<SkillCatalog>;
  /** Whether a fresh catalog may know more. */
  readonly mayBeOld: boolean;
  /** Whether a skill exists for the actor. */
  isHidden(skill: SkillRecord): boolean;
  /** Whether the skill in a directory of a store exists for the actor. */
  isVisible(dir: string): Promise<boolean>;
}

/** Where a skill is. `gone` is the former source of a stub, of which nothing else is left. */
interface ResolvedPlace extends LocatedSkill {
  readonly gone?: string | undefined;
}

/**
 * The skill a word refers to: a path to its directory or SKILL.md, then a name in the project's store, then in the
 * user's, then in the catalog (several of a name: E005). A compiled stub stands for its source. E010 when a directory
 * without SKILL.md matched, E023 when only its compiled form is left, E001 otherwise.
 */
export async function resolveSkill(
  word: string,
  workspace: Workspace,
  lookup: NameLookup,
): Promise<ResolvedPlace> {
  if (word === '' || word.includes('\0')) throw noSkill(word, []);
  const withoutFile: string[] = [];
  const stored = findStored(word, workspace, withoutFile);
  if (stored !== undefined) return stored;
  let known = isPlainName(word) ? await lookup.catalog({ fresh: false }) : undefined;
  let found = known === undefined ? undefined : findCatalogued(word, known, lookup);
  if (known !== undefined && found === undefined && lookup.mayBeOld) {
    known = await lookup.catalog({ fresh: true });
    found = findCatalogued(word, known, lookup);
  }
  const dir = found?.dir ?? findUnusable(word, known);
  if (dir !== undefined) return { dir, scope: scopeOf(dir, workspace), gone: findGoneSource(dir, workspace) };
  if (withoutFile[0] !== undefined) throw notASkill(withoutFile[0]);
  const compiled = isPlainName(word) ? await findCompiled(word, workspace, lookup) : undefined;
  if (compiled !== undefined) throw sourceGone(word, compiled);
  const visible = known?.skills.filter((skill) => !lookup.isHidden(skill)) ?? [];
  throw noSkill(word, [...(await storedNames(workspace, lookup)), ...visible.map(({ name }) => name)]);
}

/** Former source of a runtime directory of this name; undefined when there is none, or it is hidden. */
async function findCompiled(
  name: string,
  workspace: Workspace,
  lookup: NameLookup,
): Promise<string | undefined> {
  for (const { runtime } of workspace.stores) {
    const gone = findGoneSource(join(runtime, name), workspace);
    if (gone !== undefined && (await lookup.isVisible(join(runtime, name)))) return gone;
  }
  return undefined;
}

/** Former source of a stub whose source is gone; undefined for a directory that is not a stub. */
function findGoneSource(dir: string, { home }: Pick<Workspace, 'home'>): string | undefined {
  const source = buildRecord(home).sourceOf(dir);
  return source === undefined || hasSkillFile(source) ? undefined : source;
}

async function storedNames({ stores }: Workspace, lookup: NameLookup): Promise<string[]> {
  const names: string[] = [];
  for (const { skills } of stores)
    for (const name of namesIn(skills)) {
      const dir = join(skills, name);
      if (hasSkillFile(dir) && (await lookup.isVisible(dir))) names.push(name);
    }
  return names;
}

/** The skill at a path, or of a name in a store; adds directories that are not skills to `withoutFile`. */
function findStored(word: string, workspace: Workspace, withoutFile: string[]): ResolvedPlace | undefined {
  const isName = isPlainName(word);
  const asPath = absolutePath(word, workspace);
  if (asPath !== undefined) {
    const given = basename(asPath) === SKILL_FILE && !isDirectory(asPath) ? dirname(asPath) : asPath;
    if (hasSkillFile(given)) return sourceAt(given, workspace);
    if (isDirectory(given)) withoutFile.push(given);
  }
  if (!isName) return undefined;
  for (const { scope, skills } of workspace.stores) {
    const dir = join(skills, word);
    if (hasSkillFile(dir)) return { dir, scope };
    if (isDirectory(dir)) withoutFile.push(dir);
  }
  return undefined;
}

/** The skill itself, or the source of a compiled one if it still exists. */
function sourceAt(dir: string, workspace: Workspace): ResolvedPlace {
  const source = buildRecord(workspace.home).sourceOf(dir);
  const isThere = source !== undefined && hasSkillFile(source);
  const own = isThere ? source : dir;
  return { dir: own, scope: scopeOf(own, workspace), gone: isThere ? undefined : source };
}

/** An unusable skill is not in the catalog; its files can still be read by the name of its directory. */
function findUnusable(name: string, catalog: SkillCatalog | undefined): string | undefined {
  const dirs = catalog?.errors.map(({ path }) => dirname(path)) ?? [];
  return dirs.find((dir) => basename(dir) === name && hasSkillFile(dir));
}

/** The one record of a name; E005 for several. Hidden ones count only when there is no other. */
function findCatalogued(name: string, catalog: SkillCatalog, lookup: NameLookup): SkillRecord | undefined {
  const named = recordsNamed(catalog, name).filter(({ dir }) => hasSkillFile(dir));
  const usable = named.filter((skill) => !lookup.isHidden(skill));
  const [first, ...others] = usable.length === 0 ? named.slice(0, 1) : usable;
  if (others.length === 0) return first;
  throw ambiguous(
    name,
    usable.map(({ dir }) => dir),
  );
}

/** True for a single path segment, which cannot leave a store. */
function isPlainName(word: string): boolean {
  return !/[\\/]/.test(word) && word !== '.' && word !== '..';
}

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
interface FindOptions {
  readonly cwd: string;
  readonly home: string;
  readonly policy: NamePolicy;
  /** Why a skill is hidden from the actor. */
  readonly hidden: (skill: SkillRecord) => Reason | undefined;
}

/** The record of a skill, and those of the same name with lower precedence. */
export interface FoundRecord {
  readonly record: SkillRecord;
  readonly shadowed: readonly SkillRecord[];
}

/**
 * The skill a reference means. E001 when there is none or it is disabled or unavailable, E005 when several share the
 * name, E060 when it is denied. Denial depends on the skill found, not on the spelling of the reference.
 */
export function findRecord(
  catalog: SkillCatalog,
  { name, path }: SkillReference,
  { hidden, policy, ...place }: FindOptions,
): FoundRecord {
  const visible = () => catalog.skills.filter((skill) => hidden(skill) === undefined).map(({ name }) => name);
  if (path !== undefined && path !== '') {
    const record = recordAt(catalog, path, place);
    if (record === undefined) throw noSkill(path, visible());
    const reason = hidden(record);
    if (reason !== undefined) throw refusal(record, reason);
    return { record, shadowed: [] };
  }
  if (name === undefined || name === '') throw SkillwrightError.of('E100', { why: 'missing name or path' });
  const named = recordsNamed(catalog, name);
  const [record, ...shadowed] = named.filter((skill) => hidden(skill) === undefined);
  if (record === undefined) {
    if (named[0] === undefined) throw noSkill(name, visible());
    throw refusal(named[0], hidden(named[0])!);
  }
  if (shadowed.length > 0 && policy === 'ambiguous')
    throw ambiguous(
      name,
      [record, ...shadowed].map(({ path }) => path),
    );
  return { record, shadowed };
}

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

/** A server keeps its catalog and looks names up in it again and again. */
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
    return join(readRealPath(dirname(file)), basename(file));
  } catch {
    // Missing or unreadable: not in the catalog either way.
    return undefined;
  }
}

/** E005 with the candidates. */
function ambiguous(name: string, candidates: readonly string[]): SkillwrightError {
  return SkillwrightError.of(
    'E005',
    { skill: name },
    {
      detail: candidates.map((path) => `  ${path}`).join('\n'),
      help: 'use the path of the one you mean',
      data: { candidates },
    },
  );
}

/** E001 with similar names. */
function noSkill(word: string, names: readonly string[]): SkillwrightError {
  const suggestions = suggest(word, [...new Set(names)], 3);
  const details =
    suggestions.length === 0
      ? {}
      : { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } };
  return SkillwrightError.of('E001', { skill: word }, details);
}

/** E023: only the compiled form of a skill is left. */
export function sourceGone(word: string, source: string): SkillwrightError {
  return SkillwrightError.of(
    'E023',
    { skill: word, source },
    { help: `build it from its new path, or remove the leftovers: skc clean ${quoteWord(word)}` },
  );
}

/** The path in a word: absolute, relative to the working directory, with `~`, or as a `file:` URL. */
function absolutePath(word: string, { cwd, home }: Pick<Workspace, 'cwd' | 'home'>): string | undefined {
  try {
    if (/^file:/i.test(word)) return fileURLToPath(word);
  } catch {
    // A URL of another machine.
    return undefined;
  }
  return typedPath(word, { cwd, home });
}
