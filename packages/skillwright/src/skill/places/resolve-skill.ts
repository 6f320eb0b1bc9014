// From what a user calls a skill to its directory.

import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import { isMissing, readError, systemErrorCode } from '../../base/files/index.ts';
import { readBuildManifest, readSourcePath } from './build-manifest.ts';
import { findMarkedRoot, listProjectDirectories } from './find-marked-root.ts';
import { findProject, isDirectory } from './find-project.ts';
import { type StoreScope, storePaths } from './store-paths.ts';

/** The file that makes a directory a skill, spelled exactly so. */
export const SKILL_FILE = 'SKILL.md';

/** Where a skill was found. `scope` is undefined for a directory outside both stores. */
export interface ResolvedSkill {
  readonly dir: string;
  readonly scope: StoreScope | undefined;
}

/** The surroundings a name is looked up in. */
export interface ResolveContext {
  readonly cwd: string;
  readonly home: string;
  /** The catalog, for names that are in neither store. Without it only skills right in the directories of agents are known. */
  readonly catalogued?: CataloguedSkills | undefined;
}

/** What a catalog knows of names. */
export interface CataloguedSkills {
  /** The directories of the skills of a name, stubs being their sources. */
  find(name: string): readonly string[];
  names(): readonly string[];
}

/**
 * The skill a word means: a path to its directory or its SKILL.md, then a name in the project's store, then in the
 * user's, then in the catalog, then where agents keep skills (several of a name: E005). A compiled stub stands for its
 * source. E010 when a directory without SKILL.md was met on the way, E001 otherwise.
 */
export function resolveSkill(word: string, context: ResolveContext): ResolvedSkill {
  if (word === '' || word.includes('\0')) throw notFound(word, context);
  const withoutFile: string[] = [];
  const stored = findStored(word, context, (dir) => withoutFile.push(dir));
  if (stored !== undefined) return stored;
  if (isPlainName(word)) {
    const known = findCatalogued(word, context) ?? findInstalled(word, context);
    if (known !== undefined) return known;
  }
  if (withoutFile[0] !== undefined) throw SkillwrightError.of('E010', { path: withoutFile[0] });
  throw notFound(word, context);
}

/** True for a name that is no path and in neither store, so that the catalog has to be asked. Never throws. */
export function isCatalogName(word: string, context: ResolveContext): boolean {
  if (word === '' || word.includes('\0') || !isPlainName(word)) return false;
  try {
    return findStored(word, context, () => {}) === undefined;
  } catch {
    // What cannot be looked at is told by whoever needs it.
    return false;
  }
}

/** The skill at a path, or of a name in a store; `withoutFile` is told of directories that are none. */
function findStored(
  word: string,
  context: ResolveContext,
  withoutFile: (dir: string) => void,
): ResolvedSkill | undefined {
  const asPath = resolve(context.cwd, word);
  const given = basename(asPath) === SKILL_FILE && !isDirectory(asPath) ? dirname(asPath) : asPath;
  if (hasSkillFile(given)) return sourceOf(given, context);
  if (isDirectory(given)) withoutFile(given);
  if (!isPlainName(word)) return undefined;
  for (const { scope, skills } of stores(context)) {
    const dir = join(skills, word);
    if (hasSkillFile(dir)) return { dir, scope };
    if (isDirectory(dir)) withoutFile(dir);
  }
  return undefined;
}

/** True when the directory holds a regular file named exactly SKILL.md, or a link that stands for one. */
export function hasSkillFile(dir: string): boolean {
  const path = join(dir, SKILL_FILE);
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return false;
    return status.isFile() || (status.isSymbolicLink() && statSync(path).isFile());
  } catch (error) {
    // What no file system can name is not there either.
    if (isMissing(error) || systemErrorCode(error) === 'ENAMETOOLONG') return false;
    throw readError(path, error);
  }
}

/** The skill itself, or the source of a compiled one where that is still there. */
function sourceOf(dir: string, context: ResolveContext): ResolvedSkill {
  const manifest = readBuildManifest(dir);
  const source =
    manifest === undefined ? dir : readSourcePath(manifest, realpathSync.native(dir), context.home);
  const own = hasSkillFile(source) ? source : dir;
  return { dir: own, scope: scopeOf(own, context) };
}

/** Directories below a project or the home directory where agents look for skills. */
const agentHomes = ['.agents', '.agent', '.claude'];

/** The directories where agents keep skills, seen from the working directory: its own, those above it in the project, the user's. */
export function installedRoots(context: ResolveContext): { base: string; dir: string }[] {
  const root = findMarkedRoot(context)?.path ?? context.cwd;
  const bases = [...listProjectDirectories(root, context).reverse(), context.home];
  return bases.flatMap((base) => agentHomes.map((agent) => ({ base, dir: join(base, agent, 'skills') })));
}

function findCatalogued(name: string, context: ResolveContext): ResolvedSkill | undefined {
  const dirs = (context.catalogued?.find(name) ?? []).filter(hasSkillFile);
  return onlyOne(
    name,
    dirs.map((dir) => ({ dir, scope: scopeOf(dir, context) })),
  );
}

function findInstalled(name: string, context: ResolveContext): ResolvedSkill | undefined {
  const found = new Map<string, ResolvedSkill>();
  for (const root of installedRoots(context)) {
    const dir = join(root.dir, name);
    if (!hasSkillFile(dir)) continue;
    const skill = sourceOf(dir, context);
    const real = realpathSync.native(skill.dir);
    if (!found.has(real)) found.set(real, skill);
  }
  return onlyOne(name, [...found.values()]);
}

/** The candidate; undefined for none, E005 for several. */
function onlyOne(name: string, candidates: readonly ResolvedSkill[]): ResolvedSkill | undefined {
  if (candidates.length < 2) return candidates[0];
  const paths = candidates.map(({ dir }) => dir);
  throw SkillwrightError.of(
    'E005',
    { skill: name },
    { detail: paths.map((path) => `  ${path}`).join('\n'), data: { candidates: paths } },
  );
}

/** True for a single path segment that can be looked up in a store without leaving it. */
function isPlainName(word: string): boolean {
  return !/[\\/]/.test(word) && word !== '.' && word !== '..';
}

function stores(context: ResolveContext): { scope: StoreScope; skills: string }[] {
  const project = findProject(context.cwd, context.home);
  const user = { scope: 'user' as const, skills: storePaths(context.home).skills };
  return project === undefined ? [user] : [{ scope: 'project', skills: storePaths(project).skills }, user];
}

function scopeOf(dir: string, context: ResolveContext): StoreScope | undefined {
  return stores(context).find(({ skills }) => dirname(dir) === skills)?.scope;
}

function notFound(word: string, context: ResolveContext): SkillwrightError {
  const stored = stores(context).flatMap(({ skills }) => namesIn(skills));
  const names = new Set([...stored, ...(context.catalogued?.names() ?? [])]);
  const suggestions = suggest(word, [...names], 3);
  const details =
    suggestions.length === 0
      ? {}
      : { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } };
  return SkillwrightError.of('E001', { skill: word }, details);
}

function namesIn(skills: string): string[] {
  try {
    return readdirSync(skills).filter((name) => hasSkillFile(join(skills, name)));
  } catch {
    // Only a hint is being prepared: a store that is missing or unreadable offers none.
    return [];
  }
}
