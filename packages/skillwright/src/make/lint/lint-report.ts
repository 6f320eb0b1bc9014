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

/** A finding that `--fix` corrected, or would correct. */
const LintFix = LintFinding.pick({ rule: true, name: true, message: true, path: true, line: true });

/** One skill in a line. */
export const LintedSkill = z.object({
  skill: z.string(),
  path: z.string(),
  score: z
    .number()
    .int()
    .describe('100, less 20 for each rule with errors and 5 for each rule with warnings; at least 0'),
  errors: z.number().int(),
  warnings: z.number().int(),
  tokens: z.number().int().describe('What SKILL.md costs a model, estimated'),
  abilities: z
    .object({
      network: z.boolean(),
      scripts: z.number().int(),
      hooks: z.array(z.string()),
      tools: z.array(z.string()),
      writes: z.boolean(),
    })
    .describe('What it can do, as its frontmatter and its scripts say'),
});
/** One skill in a line. */
export type LintedSkill = z.output<typeof LintedSkill>;

/** The result of a lint run. */
export const LintReport = z.object({
  profile: z.string(),
  skills: z.number().int().describe('How many skills were judged'),
  errors: z.number().int(),
  warnings: z.number().int(),
  fixed: z.number().int().describe('How many findings were corrected'),
  dry_run: z.boolean().describe('True when --dry-run kept the files as they are'),
  max_warnings: z.number().int().nullable(),
  findings: z.array(LintFinding),
  fixes: z.array(LintFix).describe('What was corrected, or would be with --dry-run'),
  diff: z
    .string()
    .nullable()
    .describe('What changed, or would, with --diff; skills that a quiz keeps closed are left out'),
  judged: z.array(LintedSkill).describe('Each skill in a line'),
});
/** The result of a lint run. */
export type LintReport = z.output<typeof LintReport>;
