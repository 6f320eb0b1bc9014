// The workspace: the environment of a run, looked up once.

import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { lookOf, readRegularFile } from '../../base/files/index.ts';
import {
  contradictingVariables,
  findVariable,
  namesOfVariables,
  ownVariables,
} from '../../base/variables.ts';
import { type Config, type ConfigOverlay, defaultConfig, type LoadedConfig } from '../config/index.ts';
import {
  noPermissions,
  type PermissionLayers,
  type PermissionRules,
  type Permissions,
} from './permissions.ts';
import {
  findProject,
  PROJECT_VARIABLE,
  type Project,
  projectDirectories,
  repositoryMarks,
  type Store,
  type StoreScope,
  type Surroundings,
  storeAt,
} from './project.ts';
import { readSwitchedOff, type SwitchedOff } from './switched-off.ts';

/** Options for opening a workspace. */
export interface WorkspaceOptions extends Omit<Surroundings, 'env'> {
  /** Default: the environment of this process. */
  readonly env?: Surroundings['env'] | undefined;
  /** Whether the project's configuration and skills count. Default: true. */
  readonly trust?: boolean | undefined;
  /** Configuration on top of the files, by key. Counts as the user's. */
  readonly config?: ConfigOverlay | undefined;
  /** The host's own rules: the built-in layer. */
  readonly permissions?: PermissionRules | undefined;
  /** Receives warnings about the configuration, once. */
  readonly report?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** One working directory at one time: project, stores, configuration, rules, switches. Each is looked up once. */
export interface Workspace extends Surroundings {
  readonly project: Project | undefined;
  readonly trusted: boolean;
  readonly user: Store;
  /** The project's store, then the user's. The project's may not exist yet. */
  readonly stores: readonly Store[];
  /** Directories whose skills belong to the project, from its root down to the working directory. */
  readonly directories: readonly string[];
  readonly off: SwitchedOff;
  /** The store of a scope; by default the project's, else the user's. E100 for the project's outside a project. */
  store(scope?: StoreScope | undefined): Store;
  /** E110 when a file cannot be used. */
  config(): Promise<Config>;
  /** The configuration with its layers and the origin of each value. E110. */
  configuration(): Promise<LoadedConfig>;
  /** The effective rules. E110 when one is malformed. */
  rules(): Promise<Permissions>;
  /** False when a file this workspace depends on has changed. */
  isCurrent(): boolean;
}

/** Opens the workspace of a working directory. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  requireAbsolute(options);
  const own = ownSettings(options);
  return settleWorkspace(options, own.isSet ? await marksFor(options) : repositoryMarks, own);
}

/** The user's store, and whether the user or the host has set anything. */
function ownSettings({ home, env = process.env, config }: WorkspaceOptions): {
  readonly user: Store;
  readonly isSet: boolean;
} {
  const user = storeAt('user', home);
  const isSet =
    config !== undefined ||
    existsSync(user.config) ||
    namesOfVariables(env).some((name) => !Object.hasOwn(ownVariables, name));
  return { user, isSet };
}

/** Same with known repository marks. */
export function settleWorkspace(
  options: WorkspaceOptions,
  marks: readonly string[] = repositoryMarks,
  { user, isSet } = ownSettings(options),
): Workspace {
  const { cwd, home, env = process.env, trust = true } = options;
  for (const names of contradictingVariables(env)) options.report?.(diagnose('W112', names));
  const project = findProject({ cwd, home, env }, marks, (path, why) => {
    const help = why.includes('link')
      ? 'replace the link with a directory'
      : `if you rely on it, set ${PROJECT_VARIABLE} to ${dirname(path)}`;
    options.report?.(diagnose('W010', { path, why }, { help }));
  });
  const projectStore = project === undefined ? undefined : storeAt('project', project.dir);
  const stores = projectStore === undefined ? [user] : [projectStore, user];
  const watched = stores.flatMap(({ config, state }) => [config, state]);
  const stamp = () => watched.map(lookOf).join('\n');
  const before = stamp();
  const configFiles = {
    user: user.config,
    project: trust ? projectStore?.config : undefined,
    env,
    overlay: options.config,
  };
  const readConfiguration = async (): Promise<LoadedConfig> => {
    const { loadConfig } = await import('../config/load-config.ts');
    const loaded = loadConfig(configFiles);
    for (const diagnostic of loaded.diagnostics) options.report?.(diagnostic);
    return loaded;
  };
  let loading: Promise<LoadedConfig> | undefined;
  const configuration = () => {
    loading ??= readConfiguration();
    return loading;
  };
  // Without a configuration, its reader is not loaded.
  const isPlain = !isSet && (configFiles.project === undefined || !existsSync(configFiles.project));
  const config = async () => (isPlain ? defaultConfig : (await configuration()).values);
  let off: SwitchedOff | undefined;

  let ruling: Promise<Permissions> | undefined;
  const rules = () => {
    ruling ??= readRules();
    return ruling;
  };
  const readRules = async (): Promise<Permissions> => {
    if (isPlain && options.permissions === undefined && !existsSync(user.state)) return noPermissions;
    const [{ createPermissions }, { readPermissionMemory }, { layers }] = await Promise.all([
      import('./create-permissions.ts'),
      import('./permission-memory.ts'),
      isPlain ? { layers: [] } : configuration(),
    ]);
    const of = (isProjects: boolean): PermissionRules => {
      const own = layers.filter(({ origin }) => (origin.layer === 'project') === isProjects);
      const listed = (key: string) =>
        own.flatMap(({ values }) => (values.get(`permissions.${key}`) ?? []) as unknown[]);
      return { allow: listed('allow'), deny: listed('deny'), confirm: listed('confirm') };
    };
    const { remembered, diagnostics } = readPermissionMemory(user);
    const found = createPermissions({
      builtIn: options.permissions ?? {},
      user: of(false),
      project: of(true),
      remembered,
      switchedOff: await findSwitch(),
    });
    for (const diagnostic of [...diagnostics, ...found.diagnostics]) options.report?.(diagnostic);
    return found;
  };
  /** Origin of the setting that switches all skills off. */
  const findSwitch = async (): Promise<PermissionLayers['switchedOff']> => {
    if ((await config()).skills.enabled) return undefined;
    const { layer, place } = (await configuration()).originOf('skills.enabled');
    return {
      layer: layer === 'project' ? 'project' : 'user',
      where: `skills.enabled is false in ${place ?? 'the configuration'}`,
    };
  };
  return {
    cwd,
    home,
    env,
    project,
    trusted: trust,
    user,
    stores,
    directories: projectDirectories(project, { cwd, home }),
    get off() {
      off ??= readSwitchedOff(stores);
      return off;
    },
    store(scope) {
      if (scope === 'user') return user;
      if (projectStore !== undefined) return projectStore;
      if (scope === undefined) return user;
      const help = "run 'skc init' first, or use --scope user";
      throw SkillwrightError.of('E100', { why: 'not inside a project' }, { help });
    },
    config,
    configuration,
    rules,
    isCurrent: () => stamp() === before,
  };
}

/** E100 for a relative directory, whose meaning would change with the working directory. */
function requireAbsolute(directories: Pick<Surroundings, 'cwd' | 'home'>): void {
  for (const name of ['cwd', 'home'] as const) {
    // A host in plain JavaScript may leave one out.
    const path = String(directories[name]);
    if (isAbsolute(path)) continue;
    const help = 'resolve it before you pass it on';
    throw SkillwrightError.of('E100', { why: `${name} must be an absolute path, not '${path}'` }, { help });
  }
}

/** A workspace that reopens when a file it depends on changes, for long-lived processes. */
export function keepWorkspace(options: WorkspaceOptions): () => Promise<Workspace> {
  let kept: { workspace: Promise<Workspace>; at: number } | undefined;
  return async () => {
    if (kept !== undefined) {
      const workspace = await kept.workspace;
      const isRecent = performance.now() - kept.at < PROJECT_MS;
      if (isRecent && workspace.isCurrent()) return workspace;
    }
    const workspace = openWorkspace(options);
    kept = { workspace, at: performance.now() };
    workspace.catch(() => {
      kept = undefined;
    });
    return workspace;
  };
}

/** How long a server keeps the project without checking. */
const PROJECT_MS = 2000;

/**
 * Repository marks. A project with a store is found before they matter, and a project's own configuration is in its
 * store, so only the user's file and the environment count.
 */
async function marksFor(options: WorkspaceOptions): Promise<readonly string[]> {
  const { config, home, env = process.env } = options;
  const given = config?.catalog?.markers;
  if (given !== undefined) return given;
  const user = storeAt('user', home);
  try {
    const text = readRegularFile(user.config, { maxBytes: 1024 * 1024 })?.toString('utf8') ?? '';
    if (!text.includes('markers') && findVariable(env, 'CATALOG_MARKERS') === undefined)
      return repositoryMarks;
    const { loadConfig } = await import('../config/load-config.ts');
    return loadConfig({ user: user.config, project: undefined, env }).values.catalog.markers;
  } catch (error) {
    // Code that needs the configuration reports its faults.
    if (error instanceof SkillwrightError) return repositoryMarks;
    throw error;
  }
}
