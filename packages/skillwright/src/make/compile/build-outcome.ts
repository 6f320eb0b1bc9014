// The result of a build, as a schema: what the function returns is what the command prints.

import * as z from 'zod';

const Form = z.enum(['stub', 'files', 'whole']);

/** One finished deployment. */
export const Deployment = z.object({
  target: z.string(),
  path: z.string(),
  method: z
    .enum(['symlink', 'junction', 'copy', 'source'])
    .describe('source: the target is the source itself'),
  form: Form,
  changed: z.boolean().describe('False when it was there already'),
  fallback: z.boolean().describe('True when it was copied because links are not possible there'),
  backup: z.string().nullable().describe('Backup of whatever was there before'),
  replaced: z.string().nullable().describe('Previous target of the link, if it changed'),
});
export type Deployment = z.output<typeof Deployment>;

/** A built skill and its deployments. */
export const BuildOutcome = z.object({
  name: z.string(),
  status: z.enum(['created', 'updated', 'unchanged']),
  source_path: z.string(),
  runtime_path: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  indexed: z.number().int().describe('Files read by this build'),
  form: Form.describe('A stub, a stub with files next to it, or the whole skill'),
  why: z.string().describe('Why it has this form'),
  beside: z.array(z.string()).describe('Files and directories next to the stub'),
  left_out: z
    .array(z.object({ path: z.string(), why: z.string() }))
    .describe('Files and directories left out next to the stub, and why'),
  deployments: z.array(Deployment),
  backups: z.array(z.string()).describe('Backups of anything else that was replaced'),
  notes: z.array(z.string()).describe('Where it goes if no flag says so, and how to change that'),
  not_searched: z
    .array(z.string())
    .describe('Text that is not searched: too large, evals, or Markdown that is not text'),
});
export type BuildOutcome = z.output<typeof BuildOutcome>;
