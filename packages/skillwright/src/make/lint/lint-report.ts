// Result of a lint run, on every front end.

import * as z from 'zod';

/** One finding. `rule` and `name` are null for problems that prevent reading the skill at all. */
export const LintFinding = z.object({
  code: z.string().describe('E300 or W300 for rules; otherwise the code of the problem'),
  rule: z.string().nullable().describe('Rule id, such as SKL107'),
  name: z.string().nullable().describe('Rule name, such as description-length'),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  help: z.string().nullable(),
  path: z.string().describe('File, relative to the working directory if it is inside'),
  line: z.number().int().positive().nullable(),
  fixable: z.boolean(),
});
/** One finding. */
export type LintFinding = z.output<typeof LintFinding>;

/** A finding that `--fix` corrected, or would correct. */
const LintFix = LintFinding.pick({ rule: true, name: true, message: true, path: true, line: true });

/** Summary of one skill. */
export const LintSummary = z.object({
  skill: z.string(),
  path: z.string(),
  score: z
    .number()
    .int()
    .describe('100, less 20 for each rule with errors and 5 for each rule with warnings; at least 0'),
  errors: z.number().int(),
  warnings: z.number().int(),
  tokens: z.number().int().describe('Estimated token cost of SKILL.md'),
});
/** Summary of one skill. */
export type LintSummary = z.output<typeof LintSummary>;

/** The result of a lint run. */
export const LintReport = z.object({
  profile: z.string(),
  skills: z.number().int().describe('Number of skills checked'),
  errors: z.number().int(),
  warnings: z.number().int(),
  fixed: z.number().int().describe('Number of findings corrected'),
  dry_run: z.boolean().describe('True if --dry-run left the files unchanged'),
  max_warnings: z.number().int().nullable(),
  findings: z.array(LintFinding),
  fixes: z.array(LintFix).describe('Corrections made, or to be made with --dry-run'),
  diff: z
    .string()
    .nullable()
    .describe('Changes made, or to be made, with --diff; without skills that are locked behind a quiz'),
  judged: z.array(LintSummary).describe('Summary of each skill'),
  not_searched: z.array(z.string()).describe('Directories that were not searched, each with the reason'),
});
/** The result of a lint run. */
export type LintReport = z.output<typeof LintReport>;
