// What a lint run gives, on every front end.

import * as z from 'zod';

/** One finding. `rule` and `name` are null for problems that keep a skill from being read at all. */
export const LintFinding = z.object({
  code: z.string().describe('E300 or W300 for rules; the code of what went wrong otherwise'),
  rule: z.string().nullable().describe('Rule id, such as SKL107'),
  name: z.string().nullable().describe('Rule name, such as description-length'),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  help: z.string().nullable(),
  path: z.string().describe('File, relative to the working directory where it lies below it'),
  line: z.number().int().positive().nullable(),
  fixable: z.boolean(),
});
/** One finding. */
export type LintFinding = z.output<typeof LintFinding>;

/** The result of a lint run. */
export const LintReport = z.object({
  profile: z.string(),
  skills: z.number().int().describe('How many skills were judged'),
  errors: z.number().int(),
  warnings: z.number().int(),
  fixed: z.number().int().describe('How many findings were corrected'),
  max_warnings: z.number().int().nullable(),
  findings: z.array(LintFinding),
});
/** The result of a lint run. */
export type LintReport = z.output<typeof LintReport>;
