// A recorded conversation: the questions that a host put to a session, and the answers in short.

import * as z from 'zod';
import { describeIssue, SkillwrightError } from '../../base/diagnostics/index.ts';

const names = z.array(z.string());
const count = z.number().nonnegative();
/** An answer to compare with, the code of a failure, or nothing where the conversation was written by hand. */
const got = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.strictObject({ error: z.string() }), z.strictObject(shape)]).optional();
/** The text is kept as a digest: a recording holds no skill. */
const text = { digest: z.string(), tokens: count };
const reference = { name: z.string().optional(), path: z.string().optional() };

const RecordedStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('prompt'),
    renderer: z.enum(['available-skills', 'skills-context', 'markdown', 'json']).optional(),
    budgets: z
      .strictObject({ entries: count.optional(), bytes: count.optional(), tokens: count.optional() })
      .optional(),
    got: got({ skills: names, shown: count, missing: count, ...text }),
  }),
  z.strictObject({
    do: z.literal('message'),
    text: z.string(),
    got: got({ mentions: names, suggested: names, found: names }),
  }),
  z.strictObject({
    do: z.literal('search'),
    query: z.string(),
    limit: count.optional(),
    scope: z.enum(['repo', 'project', 'user', 'bundled']).optional(),
    got: got({ found: names }),
  }),
  z.strictObject({
    do: z.literal('load'),
    ...reference,
    by: z.literal('user').optional(),
    offset: count.optional(),
    got: got({ skill: z.string(), status: z.enum(['loaded', 'already-loaded', 'stub', 'quiz']), ...text }),
  }),
  z.strictObject({
    do: z.literal('read'),
    ...reference,
    file: z.string(),
    offset: count.optional(),
    limit: count.optional(),
    got: got(text),
  }),
  z.strictObject({
    do: z.literal('compacted'),
    kept: names.optional(),
    got: got({ skills: names, ...text }),
  }),
  /** A call that cannot be repeated, such as a script or an answer to a quiz. */
  z.strictObject({ do: z.literal('other'), call: z.string() }),
]);
export type RecordedStep = z.infer<typeof RecordedStep>;

/** A recorded conversation; plain JSON. Leave `got` out of steps that you write yourself. */
export const Recording = z.strictObject({ version: z.literal(1), steps: z.array(RecordedStep).max(10_000) });
export type Recording = z.infer<typeof Recording>;

/** Checks a recording. E065 when it is damaged or something else. */
export function readRecording(value: unknown): Recording {
  const result = Recording.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw SkillwrightError.of('E065', { why: [issue.path.join('.'), describeIssue(issue)].join(' ').trim() });
}
