// Everything a command may know of the world outside its input.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** The world as one command sees it. Front ends make one; tests make another. */
export interface CommandContext {
  /** Absolute working directory. */
  readonly cwd: string;
  /** Absolute directory that user paths start from: `SKILLC_HOME`, else the home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): Date;
  /** Tells the user something beside the result. */
  report(diagnostic: Diagnostic): void;
}
