// Whether anything is configured at all, without loading what reads configuration.

import { existsSync } from 'node:fs';
import type { ConfigOverlay } from './default-config.ts';

/** Where configuration comes from. */
export interface ConfigFiles {
  /** The user's file. */
  readonly user: string;
  /** The project's file; undefined outside a project, and in one that is not trusted. */
  readonly project: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a host sets on top, key by key. */
  readonly overlay?: ConfigOverlay | undefined;
}

/** Variables of this family that are not configuration keys. */
const otherVariables: ReadonlySet<string> = new Set(['SKILLC_HOME', 'SKILLC_AGENTS_ROOT', 'SKILLC_TOKEN']);

/** False when every value is a default. */
export function isConfigured({ user, project, env, overlay }: ConfigFiles): boolean {
  if (overlay !== undefined) return true;
  if (existsSync(user) || (project !== undefined && existsSync(project))) return true;
  return Object.keys(env).some((name) => name.startsWith('SKILLC_') && !otherVariables.has(name));
}
