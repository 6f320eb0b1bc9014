// Settings of a session: from the host, otherwise from configuration.

import { type Diagnostic, invalidOption } from '../../base/diagnostics/index.ts';
import type { CatalogBudget, Discovery } from '../../read/catalog/index.ts';
import type { Config } from '../../skill/config/index.ts';
import { openWorkspace, type Permissions, type Workspace } from '../../skill/workspace/index.ts';
import type { SessionOptions } from './session.ts';

/** Settings derived from options and configuration. */
export interface SessionSettings {
  readonly workspace: Workspace;
  readonly permissions: Permissions;
  readonly budget: CatalogBudget & { readonly entries: number; readonly bytes: number };
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the settings. E100 for an invalid limit, E110 when the configuration or a rule is broken. */
export async function readSettings(options: SessionOptions): Promise<SessionSettings> {
  const { cwd, home, env, trust = false, config: given, permissions: rules } = options;
  checkBounds(options.discovery);
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const workspace = await (options.workspace?.() ??
    openWorkspace({ cwd, home, env, trust, config: given, permissions: rules, report }));
  const config = await workspace.config();
  const permissions = await workspace.rules();
  const { max_entries, max_bytes } = config.catalog;
  return {
    workspace,
    permissions,
    budget: { entries: max_entries, bytes: max_bytes, ...options.budgets },
    config,
    diagnostics: options.workspace === undefined ? diagnostics : permissions.diagnostics,
  };
}

function checkBounds({ maxDepth, maxDirectories }: Discovery = {}): void {
  for (const [name, bound] of Object.entries({ maxDepth, maxDirectories }))
    if (bound !== undefined && !(Number.isInteger(bound) && bound > 0))
      throw invalidOption(`discovery.${name} must be a whole number above 0`);
}
