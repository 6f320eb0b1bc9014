// The configuration in force, without loading what reads it when there is none.

import { existsSync } from 'node:fs';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { findProject, storePaths } from '../places/index.ts';
import { type Config, defaultConfig } from './default-config.ts';
import type { ConfigContext } from './load-config.ts';

/** Variables of this family that are no configuration keys. */
const otherVariables: ReadonlySet<string> = new Set(['SKILLC_HOME', 'SKILLC_AGENTS_ROOT', 'SKILLC_TOKEN']);

/** The values in force; what is odd about the files is reported. E110 when a file cannot be used. */
export async function readConfig(
  context: ConfigContext & { report(diagnostic: Diagnostic): void },
): Promise<Config> {
  if (!isConfigured(context)) return defaultConfig;
  const { loadConfig } = await import('./load-config.ts');
  const { values, diagnostics } = loadConfig(context);
  for (const diagnostic of diagnostics) context.report(diagnostic);
  return values;
}

function isConfigured({ cwd, home, env }: ConfigContext): boolean {
  if (existsSync(storePaths(home).config)) return true;
  const project = findProject(cwd, home);
  if (project !== undefined && existsSync(storePaths(project).config)) return true;
  return Object.keys(env).some((name) => name.startsWith('SKILLC_') && !otherVariables.has(name));
}
