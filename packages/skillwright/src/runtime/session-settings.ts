// The settings of a session: from the host, else from configuration.

import { dirname, join, resolve } from 'node:path';
import type { CatalogOptions } from '../catalog/catalog-options.ts';
import type { Config } from '../config/default-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { CatalogBudget } from './fit-catalog.ts';
import { readPermissionMemory } from './permission-memory.ts';
import { createPermissions, type PermissionRules, type Permissions } from './permissions.ts';
import type { SessionOptions } from './session.ts';

/** What follows from options and configuration. */
export interface SessionSettings {
  readonly catalog: CatalogOptions;
  readonly permissions: Permissions;
  readonly budget: CatalogBudget & { readonly entries: number; readonly bytes: number };
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what a session depends on. E110 when configuration or a rule is broken. */
export async function readSettings(options: SessionOptions): Promise<SessionSettings> {
  const { cwd, home, env = {}, trust = false, discovery = {}, budgets = {} } = options;
  const loaded = options.config === undefined ? await loadFiles(options) : undefined;
  const config = (options.config ?? loaded?.values)!;
  const permissions = createPermissions(permissionLayers(options, config, loaded));
  const { markers, max_depth, max_directories, max_entries, max_bytes } = config.catalog;
  return {
    permissions,
    budget: { entries: max_entries, bytes: max_bytes, ...budgets },
    diagnostics: [...(loaded?.diagnostics ?? []), ...permissions.diagnostics],
    catalog: {
      cwd,
      home,
      env,
      trusted: trust,
      markers,
      maxDepth: max_depth,
      maxDirectories: max_directories,
      ...discovery,
      roots: [...extraRoots(options, config, loaded), ...(discovery.roots ?? [])],
    },
  };
}

/** The files in force. An untrusted project has no say: seen from the home directory there is none. */
async function loadFiles({ cwd, home, env = {}, trust = false }: SessionOptions): Promise<LoadedConfig> {
  const { loadConfig } = await import('../config/load-config.ts');
  return loadConfig({ cwd: trust ? cwd : home, home, env });
}

function permissionLayers(options: SessionOptions, config: Config, loaded: LoadedConfig | undefined) {
  const rules = (project: boolean): PermissionRules => {
    const layers = loaded?.layers.filter(({ origin }) => (origin.layer === 'project') === project) ?? [];
    const listed = (key: string) =>
      layers.flatMap(({ values }) => (values.get(`permissions.${key}`) ?? []) as unknown[]);
    return { allow: listed('allow'), deny: listed('deny'), confirm: listed('confirm') };
  };
  const user = loaded === undefined ? config.permissions : rules(false);
  return {
    builtIn: options.permissions ?? {},
    user: { ...user, allow: [...(user.allow ?? []), ...readPermissionMemory(options.home)] },
    project: loaded === undefined ? {} : rules(true),
  };
}

function extraRoots(options: SessionOptions, config: Config, loaded: LoadedConfig | undefined) {
  const { layer, place } = loaded?.originOf('catalog.roots') ?? { layer: 'user' };
  const isProject = layer === 'project';
  // A path in a file is meant from the directory that the file's `.skillc` is in.
  const base = place === undefined ? options.cwd : dirname(dirname(place));
  return config.catalog.roots.map((root) => ({
    path: root.startsWith('~/') ? join(options.home, root.slice(2)) : resolve(base, root),
    scope: isProject ? ('project' as const) : ('user' as const),
  }));
}
