// Finds the project around a working directory, and the paths skc keeps for it or for the user. The only definition of a
// project.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { countFact, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  findLink,
  isDirectory,
  isInside,
  isMissing,
  readError,
  readRealPath,
  realPath,
  targetAt,
} from '../../base/files/index.ts';
import { readVariable, variableName } from '../../base/variables.ts';

/** The directory that belongs to skc, in a project or in the home directory. */
export const OWN_DIRECTORY = '.skillc';

/** Where accesses are logged inside `.skillc` of any working directory, when the skill's log cannot be written. */
export const LOCAL_LOGS = 'logs';

/** Default names that mark the root of a repository. */
export const repositoryMarks: readonly string[] = ['.git', '.jj'];

/** Facts a process knows at its start. */
export interface Surroundings {
  /** Absolute working directory. */
  readonly cwd: string;
  /** Absolute: `SKC_HOME`, else the home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A project, and how it was recognised. */
export interface Project {
  readonly dir: string;
  /** `.skillc`, a repository mark, or the variable that named it. */
  readonly mark: string;
}

/** The variable that names the project. */
export const PROJECT_VARIABLE = variableName('AGENTS_ROOT');

/**
 * The project of a working directory: the directory in `SKC_AGENTS_ROOT`; else the nearest directory upward with a
 * `.skillc` directory; else the root of the repository around it. The home directory is never a project, nor is
 * anything inside a runtime directory, and a `.skillc` with only local logs does not count. A directory whose
 * `.skillc` is a link is not a project: skc would write wherever the link points. Nor is one that belongs to another user,
 * such as `/tmp/.skillc`. `ignored` receives such paths.
 */
export function findProject(
  { cwd, home, env }: Surroundings,
  marks: readonly string[] = repositoryMarks,
  ignored?: Ignored,
): Project | undefined {
  countFact('project', cwd);
  const given = readVariable(env, 'AGENTS_ROOT');
  if (given) {
    const dir = resolve(cwd, given);
    if (isSamePlace(dir, home) || isLinked(dir, ignored)) return undefined;
    return { dir, mark: PROJECT_VARIABLE };
  }
  let repository: Project | undefined;
  for (const dir of withAncestors(cwd)) {
    const own = join(dir, OWN_DIRECTORY);
    const isStore = isDirectory(own);
    const mark = repository === undefined ? marks.find((name) => existsSync(join(dir, name))) : undefined;
    if (!isStore && mark === undefined) continue;
    if (!mayBeProject(dir, home) || isLinked(dir, ignored)) continue;
    if (isForeignTo(cwd, isStore ? own : join(dir, mark!))) {
      ignored?.(
        isStore ? own : join(dir, mark!),
        'it belongs to another user, so the directory is not a project',
      );
      continue;
    }
    if (isStore && !holdsLogsAlone(own)) return { dir, mark: OWN_DIRECTORY };
    if (mark !== undefined && mark !== OWN_DIRECTORY) repository = { dir, mark };
  }
  return repository;
}

/**
 * Directories whose skills belong to the project, from its root down to the working directory. Outside a project, only
 * the working directory. Without the home directory: its skills are the user's.
 */
export function projectDirectories(
  project: Project | undefined,
  { cwd, home }: Pick<Surroundings, 'cwd' | 'home'>,
): string[] {
  const root = project?.dir ?? cwd;
  const chain = withAncestors(cwd);
  const above = chain.indexOf(root);
  const directories = above === -1 ? [root] : chain.slice(0, above + 1).reverse();
  return directories.filter((dir) => dir === project?.dir || !isSamePlace(dir, home));
}

function withAncestors(dir: string): string[] {
  const above = dirname(dir);
  return above === dir ? [dir] : [dir, ...withAncestors(above)];
}

/** Receives a path that does not make a directory a project, and why. */
type Ignored = (path: string, why: string) => void;

/**
 * Whether something belongs neither to this user, to root, nor to the owner of the working directory. Anybody can put a
 * `.skillc` into a shared directory above it.
 */
function isForeignTo(cwd: string, path: string): boolean {
  const self = process.getuid?.();
  if (self === undefined) return false;
  const ownerOf = (place: string) => targetAt(place)?.uid;
  const owner = ownerOf(path);
  return owner !== undefined && owner !== self && owner !== 0 && owner !== ownerOf(cwd);
}

function isLinked(dir: string, ignored: Ignored | undefined): boolean {
  const link = findLink(dir, join(dir, OWN_DIRECTORY));
  if (link !== undefined) ignored?.(link, 'it is a link, so the directory is not a project');
  return link !== undefined;
}

/** Compares real paths too: a home reached through a link is still the home. */
function mayBeProject(dir: string, home: string): boolean {
  const real = realPath(dir);
  return dir !== home && real !== realPath(home) && !isInRuntime(dir) && !isInRuntime(real);
}

/** A directory with only a fallback log is not a project. */
function holdsLogsAlone(own: string): boolean {
  if (!existsSync(join(own, LOCAL_LOGS))) return false;
  try {
    return readdirSync(own).every((name) => name === LOCAL_LOGS);
  } catch {
    // A directory that cannot be listed is judged by name, as one without logs.
    return false;
  }
}

/** True for a runtime directory and everything below it, by spelling of the path. */
export function isInRuntime(dir: string): boolean {
  return `${dir}${sep}`.includes(`${sep}${OWN_DIRECTORY}${sep}runtime${sep}`);
}

/**
 * The `.skillc` directory of a path in a runtime directory: skc makes no links below it. For any other path, its
 * parent directory.
 */
export function ownRootOf(path: string): string {
  const root = `${sep}${OWN_DIRECTORY}`;
  const at = path.indexOf(`${root}${sep}runtime${sep}`);
  return at === -1 ? dirname(path) : path.slice(0, at + root.length);
}

function isSamePlace(a: string, b: string): boolean {
  return a === b || realPath(a) === realPath(b);
}

/** Owner of the paths. */
export type StoreScope = 'project' | 'user';

/** One store: absolute paths below `.skillc` of a project or of the user. */
export interface Store {
  readonly scope: StoreScope;
  /** The project or the home directory. */
  readonly base: string;
  readonly root: string;
  readonly skills: string;
  readonly runtime: string;
  readonly config: string;
  readonly lock: string;
  readonly state: string;
  readonly cache: string;
  /** Backups; never searched for skills. */
  readonly backups: string;
}

/** The store below a project directory or the home directory. */
export function storeAt(scope: StoreScope, base: string): Store {
  const root = join(base, OWN_DIRECTORY);
  return {
    scope,
    base,
    root,
    skills: join(root, 'skills'),
    runtime: join(root, 'runtime'),
    config: join(root, 'config.toml'),
    lock: join(root, 'lock.json'),
    state: join(root, 'state.json'),
    cache: join(root, 'cache'),
    backups: join(root, 'backups'),
  };
}

/** E016 when a path of a project, or its nearest existing parent, is really outside the project. */
export function checkInside(project: string, path: string): void {
  for (let place = path; isInside(project, place); place = join(place, '..')) {
    try {
      if (!isInside(readRealPath(project), readRealPath(place))) throw leadsOut(path);
      return;
    } catch (error) {
      if (!isMissing(error)) throw readError(path, error);
    }
  }
}

/** E016 for a path outside the project. */
export function leadsOut(path: string): SkillwrightError {
  return SkillwrightError.of('E016', { path, why: 'it leads out of the project' });
}
