// What an outline is.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { MAX_HEADINGS } from '../../base/markdown/index.ts';

/** One heading and where its section is. */
export interface OutlineHeading {
  level: number;
  text: string;
  file: string;
  anchor: string;
  start_line: number;
  end_line: number;
}

/** The headings, files in bytewise order, and a W013 for each file that has more than are listed. */
export interface Outline {
  readonly headings: OutlineHeading[];
  /** How many there are; more than are listed where a limit was given. */
  readonly total: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** W013 for a file that has more headings than are listed. */
export const cutAt = (file: string): Diagnostic => diagnose('W013', { file, limit: String(MAX_HEADINGS) });
