// What scanning several skills gives, on every front end.

import * as z from 'zod';
import { ScanResult, ScanVerdict } from './finding.ts';
import { ReviewedFinding } from './scan-baseline.ts';

/** One skill of a report. */
export const ScannedSkill = ScanResult.extend({
  name: z.string(),
  path: z.string().describe('Its directory, relative to the working directory where it lies below it'),
  reviewed: z.array(ReviewedFinding).describe('Findings that the baseline takes out of the verdict'),
  expired: z.array(ReviewedFinding).describe('Reviews in the baseline that ended with a change of the file'),
  verdict_of_all: ScanVerdict.describe('The verdict with what was reviewed'),
});
/** One skill of a report. */
export type ScannedSkill = z.output<typeof ScannedSkill>;

/** The result of a scan. */
export const ScanReport = z.object({
  clean: z.number().int().describe('How many skills came out clean'),
  caution: z.number().int(),
  danger: z.number().int(),
  fail_on: ScanVerdict.exclude(['clean']).describe('From which verdict on the command ends with status 1'),
  skills: z.array(ScannedSkill),
  problems: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .describe('Directories that could not be looked into'),
});
/** The result of a scan. */
export type ScanReport = z.output<typeof ScanReport>;
