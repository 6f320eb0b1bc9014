// The settings of a session: from the host, else from configuration.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { type CatalogBudget, type CatalogOptions, readCatalogOptions } from '../../read/catalog/index.ts';
import type { Config, LoadedConfig } from '../../skill/config/index.ts';
import { readPermissionMemory } from './permission-memory.ts';
import {
  createPermissions,
  type PermissionLayers,
  type PermissionRules,
  type Permissions,
} from './permissions.ts';
import type { SessionOptions } from './session.ts';

/** What follows from options and configuration. */
export interface SessionSettings {
  readonly catalog: CatalogOptions;
  readonly permissions: Permissions;
  readonly budget: CatalogBudget & { readonly entries: number; readonly bytes: number };
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the configuration says, whoever wrote it. */
interface Configured {
  readonly values: Config;
  readonly catalog: Omit<CatalogOptions, 'trusted'>;
  readonly layers: Pick<PermissionLayers, 'user' | 'project'>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what a session depends on. E110 when configuration or a rule is broken. */
export async function readSettings(options: SessionOptions): Promise<SessionSettings> {
  const { cwd, home, trust = false, discovery = {}, budgets = {} } = options;
  const { config } = options;
  const { values, catalog, layers, diagnostics } =
    config === undefined ? await readFiles(options) : takeConfig(config, options);
  const permissions = createPermissions({
    builtIn: options.permissions ?? {},
    user: { ...layers.user, allow: [...(layers.user?.allow ?? []), ...readPermissionMemory(home)] },
    project: layers.project ?? {},
  });
  const { max_entries, max_bytes } = values.catalog;
  return {
    permissions,
    budget: { entries: max_entries, bytes: max_bytes, ...budgets },
    config: values,
    diagnostics: [...diagnostics, ...permissions.diagnostics],
    catalog: {
      ...catalog,
      cwd,
      trusted: trust,
      ...discovery,
      roots: [...(catalog.roots ?? []), ...(discovery.roots ?? [])],
    },
  };
}

/** The files in force. An untrusted project has no say: seen from the home directory there is none. */
async function readFiles({ cwd, home, env = {}, trust = false }: SessionOptions): Promise<Configured> {
  const { loadConfig } = await import('../../skill/config/load-config.ts');
  const context = { cwd: trust ? cwd : home, home, env };
  const loaded = loadConfig(context);
  return {
    values: loaded.values,
    // What is odd about the files is known already.
    catalog: await readCatalogOptions({ ...context, report: () => {} }),
    layers: { user: rulesOf(loaded, 'user'), project: rulesOf(loaded, 'project') },
    diagnostics: loaded.diagnostics,
  };
}

function takeConfig(values: Config, { cwd, home, env = {} }: SessionOptions): Configured {
  const { markers, max_depth: maxDepth, max_directories: maxDirectories, roots } = values.catalog;
  const placed = roots.map((root) => ({ path: resolve(cwd, root), scope: 'user' as const }));
  return {
    values,
    catalog: { cwd, home, env, markers, maxDepth, maxDirectories, roots: placed },
    layers: { user: values.permissions },
    diagnostics: [],
  };
}

/** The rules of the project, or those of everybody else: the environment is the user's. */
function rulesOf({ layers }: LoadedConfig, whose: 'user' | 'project'): PermissionRules {
  const own = layers.filter(({ origin }) => (origin.layer === 'project') === (whose === 'project'));
  const listed = (key: string) =>
    own.flatMap(({ values }) => (values.get(`permissions.${key}`) ?? []) as unknown[]);
  return { allow: listed('allow'), deny: listed('deny'), confirm: listed('confirm') };
}
