// What scanning several skills gives, on every front end.

import * as z from 'zod';
import { ScanResult } from './finding.ts';

/** One skill of a report. */
export const ScannedSkill = ScanResult.extend({
  name: z.string(),
  path: z.string().describe('Its directory, relative to the working directory where it lies below it'),
});
/** One skill of a report. */
export type ScannedSkill = z.output<typeof ScannedSkill>;

/** The result of a scan. */
export const ScanReport = z.object({
  clean: z.number().int().describe('How many skills came out clean'),
  caution: z.number().int(),
  danger: z.number().int(),
  skills: z.array(ScannedSkill),
  problems: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .describe('Directories that could not be looked into'),
});
/** The result of a scan. */
export type ScanReport = z.output<typeof ScanReport>;
