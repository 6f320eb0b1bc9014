// Writing rows of the access log.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** What an operation leaves behind. */
export interface Access {
  readonly command: string;
  readonly skill: string;
  readonly skill_path: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The code of the failure, or null. */
  readonly error: string | null;
  readonly bytes: number;
  readonly tokens: number;
  readonly duration_ms: number;
}

/** Where and when it happened. */
export interface AccessPlace {
  readonly runtime: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

/** Writes one row. */
export function writeAccess(_access: Access, _place: AccessPlace): Diagnostic[] {
  return [];
}
