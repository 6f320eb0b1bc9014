// Result of a scan: findings, files scanned, and a verdict.

import * as z from 'zod';

/** Subject of a finding. */
export const ScanCategory = z.enum([
  'secrets',
  'remote-code',
  'download-and-run',
  'exfiltration',
  'credentials',
  'persistence',
  'obfuscation',
  'hidden-text',
  'prompt-injection',
  'permissions',
  'typosquat',
  'destruction',
  'files',
]);
/** Subject of a finding. */
export type ScanCategory = z.output<typeof ScanCategory>;

/** How much harm a finding can do, least first. */
export const ScanSeverity = z.enum(['low', 'medium', 'high', 'critical']);
/** How much harm a finding can do. */
export type ScanSeverity = z.output<typeof ScanSeverity>;

/** How likely a finding is intended. */
export const ScanConfidence = z.enum(['low', 'medium', 'high']);
/** How likely a finding is intended. */
export type ScanConfidence = z.output<typeof ScanConfidence>;

/** `danger`: do not install. `caution`: read the findings first. */
export const ScanVerdict = z.enum(['clean', 'caution', 'danger']);
/** Verdict of a scan. */
export type ScanVerdict = z.output<typeof ScanVerdict>;

/** One place on the way of data. */
const FlowStep = z.object({
  file: z.string(),
  line: z.number().int().positive(),
  text: z.string().describe('What stands there, shortened'),
});

/** One finding. */
export const ScanFinding = z.object({
  rule: z.string().describe('Rule id, such as SCN201'),
  name: z.string().describe('Rule name, such as download-and-run'),
  category: ScanCategory,
  severity: ScanSeverity,
  confidence: ScanConfidence,
  file: z.string().describe('Path inside the skill'),
  line: z.number().int().positive().nullable(),
  message: z.string().describe('What was found'),
  reason: z.string().describe('Why it matters'),
  help: z.string().describe('What to do about it'),
  excerpt: z.string().nullable().describe('The matching text, with secrets shortened'),
  flow: z
    .array(FlowStep)
    .optional()
    .describe('The way of the data: where it comes from, each step, where it is sent or run'),
  is_sum: z
    .literal(true)
    .optional()
    .describe('True for the summary of findings that are serious only together'),
});
/** One finding. */
export type ScanFinding = z.output<typeof ScanFinding>;

/** A file that was not scanned, or not as text. */
export const SkippedFile = z.object({ file: z.string(), why: z.string() });
/** A file that was not scanned, or not as text. */
export type SkippedFile = z.output<typeof SkippedFile>;

/** Scan result of one skill. */
export const ScanResult = z.object({
  verdict: ScanVerdict,
  complete: z.boolean().describe('False when something could not be read: see `skipped`'),
  score: z.number().describe('Sum of the findings: caution from 15, danger from 30'),
  files: z.number().int().describe('How many files were scanned'),
  bytes: z.number().int(),
  skipped: z.array(SkippedFile),
  findings: z.array(ScanFinding).describe('Worst first'),
});
/** Scan result of one skill. */
export type ScanResult = z.output<typeof ScanResult>;
