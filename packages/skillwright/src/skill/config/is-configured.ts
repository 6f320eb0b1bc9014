// Tells whether anything is configured, without loading the configuration reader.

import { existsSync } from 'node:fs';
import { namesOfVariables, ownVariables } from '../../base/variables.ts';
import type { ConfigOverlay } from './default-config.ts';

/** Where configuration comes from. */
export interface ConfigFiles {
  /** The user's file. */
  readonly user: string;
  /** The project's file; undefined outside a project or in an untrusted one. */
  readonly project: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values the host sets on top, by key. */
  readonly overlay?: ConfigOverlay | undefined;
}

/** False when every value is a default. */
export function isConfigured({ user, project, env, overlay }: ConfigFiles): boolean {
  if (overlay !== undefined) return true;
  if (existsSync(user) || (project !== undefined && existsSync(project))) return true;
  return namesOfVariables(env).some((name) => !Object.hasOwn(ownVariables, name));
}
