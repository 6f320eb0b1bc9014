// The shape of an outline.

import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { MAX_HEADINGS } from '../../base/markdown/index.ts';

/** One heading and the location of its section. */
export interface OutlineHeading {
  level: number;
  text: string;
  file: string;
  anchor: string;
  start_line: number;
  end_line: number;
}

/** The headings, files in bytewise order, and a W013 for each file with more headings than listed. */
export interface Outline {
  readonly headings: OutlineHeading[];
  /** Total number; more than listed when a limit was given. */
  readonly total: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** W013 for a file with more headings than listed. */
export const cutAt = (file: string): Diagnostic => diagnose('W013', { file, limit: String(MAX_HEADINGS) });
