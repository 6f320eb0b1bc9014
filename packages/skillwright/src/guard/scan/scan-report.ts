// Result of scanning several skills, on every front end.

import * as z from 'zod';
import { ScanResult, ScanVerdict } from './finding.ts';
import { ReviewedFinding } from './scan-baseline.ts';
import { SecondOpinion } from './second-opinion.ts';

/** One skill of a report. */
export const SkillScan = ScanResult.extend({
  name: z.string(),
  path: z.string().describe('Its directory, relative to the working directory if it is inside'),
  reviewed: z.array(ReviewedFinding).describe('Findings that the baseline excludes from the verdict'),
  expired: z.array(ReviewedFinding).describe('Reviews in the baseline that expired because the file changed'),
  opinion: SecondOpinion.optional().describe(
    'What the model of --model thinks; it never changes the verdict',
  ),
  verdict_of_all: ScanVerdict.describe('The verdict including reviewed findings'),
});
/** One skill of a report. */
export type SkillScan = z.output<typeof SkillScan>;

/** The result of a scan. */
export const ScanReport = z.object({
  clean: z.number().int().describe('Number of clean skills'),
  caution: z.number().int(),
  danger: z.number().int(),
  fail_on: ScanVerdict.exclude(['clean']).describe('The command exits with status 1 from this verdict on'),
  skills: z.array(SkillScan),
  problems: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .describe('Directories that could not be read'),
  not_searched: z.array(z.string()).describe('Directories that were not searched, each with the reason'),
});
/** The result of a scan. */
export type ScanReport = z.output<typeof ScanReport>;
