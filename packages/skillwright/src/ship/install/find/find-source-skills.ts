// Finds the skills of a fetched source in the usual repository layouts. One bad skill does not hide the rest.

import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import {
  type Diagnostic,
  diagnose,
  diagnosticOf,
  SkillwrightError,
} from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  describeSystemError,
  isIgnoredName,
  readError,
  resolveInside,
  targetAt,
} from '../../../base/files/index.ts';
import { agents } from '../../../skill/agents/index.ts';
import { isReservedName, isSkillName } from '../../../skill/format/index.ts';
import {
  findSkillProblem,
  notText,
  openSkill,
  readBuildManifest,
  SKILL_FILE,
  type Skill,
  skillAt,
  writtenName,
} from '../../../skill/skill/index.ts';
import { declaredPaths, type PluginReference, readPluginManifests } from './plugin-manifests.ts';

/** A skill under the name it is offered as, and its place in its source. */
type SourceSkill = Skill & {
  readonly description: string;
  /** Relative to the source, with `/`; empty for the root. */
  readonly within: string;
};

/** Options of a search. */
export interface FindOptions {
  /** Name of the skill at the root if its own name is invalid. */
  readonly rootName?: string | undefined;
  /** A marketplace's statement, if the source is one of its plugins. */
  readonly plugin?: DeclaredPlugin | undefined;
}

/** A marketplace's statement about the skills of a plugin. */
export type DeclaredPlugin = Pick<PluginReference, 'skills' | 'isWhole'>;

/** The result of a search. */
export interface FoundSkills {
  readonly skills: SourceSkill[];
  readonly diagnostics: Diagnostic[];
  /** Plugins that it names but that are hosted elsewhere. */
  readonly plugins: readonly PluginReference[];
}

/** Search depth in the directories of known layouts. */
const LAYOUT_DEPTH = 3;
/** Search depth when no layout matches. */
const SEARCH_DEPTH = 12;

/**
 * The skills below `root`: the root itself, `skills/`, the directories of agents, plugins and marketplaces, and if none
 * of these has any, everywhere else. A skill is not searched further; compiled stubs are left out;
 * of two with one name the first in that order is kept. Total: the diagnostics list everything left out.
 */
export function findSourceSkills(root: string, options: FindOptions = {}): FoundSkills {
  const real = realpathSync.native(root);
  const diagnostics: Diagnostic[] = [];
  const mayHave = presenceIn(real);
  const found = new Map<string, string>();
  const searched = new Set<string>();
  const add = (path: string): void => {
    const at = resolveInside(real, path === '' ? '.' : path);
    if (at !== undefined && !found.has(at)) found.set(at, path);
  };
  const search = (path: string, { asContainer = false, depth = LAYOUT_DEPTH } = {}): void => {
    if (searched.has(path) || !mayHave(path)) return;
    searched.add(path);
    try {
      const place = resolveInside(real, path === '' ? '.' : path);
      if (place === undefined) return;
      if (!asContainer && isSkillDirectory(place)) add(path);
      else for (const skill of findInContainer(real, path, { depth, diagnostics })) add(skill);
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      diagnostics.push(diagnosticOf(error));
    }
  };

  const { plugin } = options;
  for (const path of declaredPaths(plugin?.skills ?? [], diagnostics)) search(path);
  if (plugin?.isWhole === true) return { ...choose(real, found, { ...options, diagnostics }), plugins: [] };
  if (isSkillDirectory(real)) add('');
  for (const container of listContainers()) search(container, { asContainer: true });
  const { paths, plugins } = readPluginManifests(real, { diagnostics, mayHave });
  for (const path of paths) search(path);
  if (found.size === 0 && plugins.length === 0) search('', { depth: SEARCH_DEPTH });
  return { ...choose(real, found, { ...options, diagnostics }), plugins };
}

/** Whether a path can exist, by its first segment: most layouts are not there, and one listing tells. */
function presenceIn(root: string): (path: string) => boolean {
  let names: Set<string>;
  try {
    // Some file systems ignore case.
    names = new Set(readdirSync(root).map((name) => name.toLowerCase()));
  } catch (error) {
    throw readError(root, error);
  }
  return (path) => path === '' || names.has(path.split('/', 1)[0]!.toLowerCase());
}

/** Reads the found skills and resolves duplicate names. */
function choose(
  root: string,
  found: ReadonlyMap<string, string>,
  options: FindOptions & { diagnostics: Diagnostic[] },
): { skills: SourceSkill[]; diagnostics: Diagnostic[] } {
  const { diagnostics } = options;
  const byName = new Map<string, SourceSkill>();
  for (const [dir, path] of withoutNested(found)) {
    try {
      const fallback = path === '' ? (options.rootName ?? basename(root)) : basename(path);
      const skill = readSourceSkill(dir, { path, fallback });
      if (skill === undefined || isInternal(skill)) continue;
      const { name } = skill;
      const written = writtenName(skill.frontmatter)!;
      if (name !== written) diagnostics.push(diagnose('W006', { written, name }, { data: { path } }));
      const first = byName.get(name);
      if (first === undefined) byName.set(name, skill);
      else {
        const detail = `  ${showPath(first.within)} is offered\n  ${showPath(path)} is left out`;
        diagnostics.push(diagnose('W004', { skill: name }, { detail }));
      }
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      const file = path === '' ? SKILL_FILE : `${path}/${SKILL_FILE}`;
      const help = error.help ?? `the skill in ${file} is left out`;
      diagnostics.push({ ...diagnosticOf(error), help, data: { ...error.data, path } });
    }
  }
  return { skills: [...byName.values()], diagnostics };
}

/** Directory of another compiler's stubs, the counterpart of our `.skillc`. */
const FOREIGN_MARK = '.skillc-meta';

/**
 * The skill in `dir` under the name it is offered as; undefined for a compiled stub. A store accepts standard names only:
 * any other is replaced by `fallback`, the directory name. E010, E011, E014, E015 when the skill cannot be used.
 */
function readSourceSkill(
  dir: string,
  { path, fallback }: { path: string; fallback: string },
): SourceSkill | undefined {
  if (readBuildManifest(dir) !== undefined || existsSync(join(dir, FOREIGN_MARK))) return undefined;
  const file = path === '' ? SKILL_FILE : `${path}/${SKILL_FILE}`;
  const skill = openSkill(dir);
  // Names the file as the source knows it.
  if (skill.problem?.code === 'E015') throw notText(file);
  if (skill.problem !== undefined) throw findSkillProblem(skill.parts, { name: skill.name, path: file })!;
  const written = writtenName(skill.frontmatter)!;
  const name = [written, fallback].find((candidate) => isSkillName(candidate) && !isReservedName(candidate));
  if (name === undefined) {
    const why = `neither '${written}' nor its directory name is a valid skill name`;
    throw SkillwrightError.of('E014', { path: file, why });
  }
  const description = String(skill.frontmatter.description).trim();
  const named = name === skill.name ? skill : skillAt(skill, { dir: skill.dir, name });
  return { ...named, description, within: path };
}

function isInternal({ frontmatter: { metadata } }: Skill): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { internal } = metadata as { internal?: unknown };
  return internal === true || internal === 'true';
}

/** Drops skills inside another skill, except inside the one at the root: a repository may hold more next to it. */
function withoutNested(found: ReadonlyMap<string, string>): [string, string][] {
  const all = [...found];
  return all.filter(
    ([dir]) => !all.some(([other, path]) => path !== '' && other !== dir && dir.startsWith(other + sep)),
  );
}

function showPath(path: string): string {
  return path === '' ? '.' : path;
}

// The directories where repositories keep skills.

/** Directories of a repository that hold skills, by precedence. */
function listContainers(): string[] {
  const own = ['skills', 'skills/.curated', 'skills/.experimental', 'skills/.system'];
  const first = ['.claude/skills', '.agents/skills', '.github/skills'];
  const others = agents.flatMap(({ project, user }) => (user === undefined ? [project] : [project, user]));
  return [...new Set([...own, ...first, ...others])];
}

/** Limit of directories searched in one source. */
const MAX_DIRECTORIES = 20_000;

/** True when the directory has an entry spelled exactly SKILL.md, of any kind: reading it reports problems. */
function isSkillDirectory(dir: string): boolean {
  try {
    // A file system that ignores case finds other spellings too.
    return lstatSync(join(dir, SKILL_FILE)) !== undefined && readdirSync(dir).includes(SKILL_FILE);
  } catch {
    return false;
  }
}

/**
 * Paths of the skills below `path` of a canonical root, in bytewise order; a skill is not searched further. Total: W007
 * when the limit of directories is reached.
 */
function findInContainer(
  root: string,
  path: string,
  options: { depth: number; diagnostics: Diagnostic[] },
): string[] {
  const found: string[] = [];
  let directories = 0;
  const visit = (directory: string, depth: number): void => {
    if (directories++ === MAX_DIRECTORIES) options.diagnostics.push(tooMany(path));
    if (directories > MAX_DIRECTORIES) return;
    for (const entry of list(root, directory, options.diagnostics)) {
      const below = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isIgnoredName(entry.name) || !isDirectory(root, below, { entry, diagnostics: options.diagnostics }))
        continue;
      if (isSkillDirectory(join(root, below))) found.push(below);
      else if (depth > 1 && !entry.isSymbolicLink()) visit(below, depth - 1);
    }
  };
  visit(path, options.depth);
  return found;
}

function tooMany(path: string): Diagnostic {
  const why = `more than ${MAX_DIRECTORIES} directories`;
  return diagnose('W007', { root: path === '' ? '.' : path, why }, { help: 'name one of its directories' });
}

function list(root: string, path: string, diagnostics: Diagnostic[]): Dirent[] {
  try {
    const listing = readdirSync(join(root, path), { withFileTypes: true });
    return listing.sort((a, b) => compareBytes(a.name, b.name));
  } catch (error) {
    diagnostics.push(diagnose('E015', { path: path || root, why: describeSystemError(error) }));
    return [];
  }
}

/** Whether an entry is a directory, or a link to one inside the source; a link to the outside is reported. */
function isDirectory(
  root: string,
  path: string,
  { entry, diagnostics }: { entry: Dirent; diagnostics: Diagnostic[] },
): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    const real = resolveInside(root, path);
    // A target in /proc has a path but may not exist.
    return real !== undefined && targetAt(real)?.isDirectory() === true;
  } catch (error) {
    const told = readError(path, error);
    if (!(told instanceof SkillwrightError)) throw error;
    // A link to a file could not have been a skill.
    const isFile = told.code === 'E012' && targetAt(join(root, path))?.isFile();
    if (isFile !== true) diagnostics.push(diagnosticOf(told));
    return false;
  }
}
