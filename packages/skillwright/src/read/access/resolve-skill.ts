// Resolves the name or path of a skill to its directory.

import { basename, dirname, join } from 'node:path';
import { isDirectory, namesIn } from '../../base/files/index.ts';
import {
  buildRecord,
  hasSkillFile,
  type LocatedSkill,
  notASkill,
  SKILL_FILE,
  scopeOf,
} from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { SkillCatalog, SkillRecord } from '../catalog/index.ts';
import { recordsNamed } from './find-record.ts';
import { absolutePath, ambiguous, notFound, sourceGone } from './not-found.ts';

/** Where names are looked up. */
interface NameLookup {
  /** The catalog, for names that are neither a path nor in a store. */
  catalog(options: { readonly fresh: boolean }): Promise<SkillCatalog>;
  /** Whether a fresh catalog may know more. */
  readonly mayBeOld: boolean;
  /** Whether a skill exists for the actor. */
  isHidden(skill: SkillRecord): boolean;
  /** Same for a directory of a store. */
  isVisible(dir: string): Promise<boolean>;
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
): Promise<LocatedSkill> {
  if (word === '' || word.includes('\0')) throw notFound(word, []);
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
  if (dir !== undefined) return { dir, scope: scopeOf(dir, workspace) };
  if (withoutFile[0] !== undefined) throw notASkill(withoutFile[0]);
  const compiled = isPlainName(word) ? await findCompiled(word, workspace, lookup) : undefined;
  if (compiled !== undefined) throw sourceGone(word, compiled);
  const visible = known?.skills.filter((skill) => !lookup.isHidden(skill)) ?? [];
  throw notFound(word, [...(await storedNames(workspace, lookup)), ...visible.map(({ name }) => name)]);
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
export function findGoneSource(dir: string, { home }: Pick<Workspace, 'home'>): string | undefined {
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
function findStored(word: string, workspace: Workspace, withoutFile: string[]): LocatedSkill | undefined {
  const asPath = absolutePath(word, workspace);
  if (asPath !== undefined) {
    const given = basename(asPath) === SKILL_FILE && !isDirectory(asPath) ? dirname(asPath) : asPath;
    if (hasSkillFile(given)) return sourceOf(given, workspace);
    if (isDirectory(given)) withoutFile.push(given);
  }
  if (!isPlainName(word)) return undefined;
  for (const { scope, skills } of workspace.stores) {
    const dir = join(skills, word);
    if (hasSkillFile(dir)) return { dir, scope };
    if (isDirectory(dir)) withoutFile.push(dir);
  }
  return undefined;
}

/** The skill itself, or the source of a compiled one if it still exists. */
function sourceOf(dir: string, workspace: Workspace): LocatedSkill {
  const source = buildRecord(workspace.home).sourceOf(dir);
  const own = source !== undefined && hasSkillFile(source) ? source : dir;
  return { dir: own, scope: scopeOf(own, workspace) };
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
