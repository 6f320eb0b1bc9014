// skills.plan: plan how to run a skill.

import * as z from 'zod';
import { HOOK_TYPES } from '../../../skill/format/index.ts';
import { QuizView } from '../../../skill/quiz/index.ts';
import { defineOperation } from '../define-command.ts';
import { Remark, withReference } from './wire-shapes.ts';

/** A hook as the skill defines it; further fields depend on its type. */
const Handler = z.looseObject({ type: z.enum(HOOK_TYPES) });

/** Returns the plan; runs nothing. */
export const planSkill = defineOperation({
  input: withReference({
    arguments: z
      .union([z.string(), z.array(z.string())])
      .default('')
      .describe('Arguments as typed, or split into words'),
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes to skip in a long text: next_offset of the previous part'),
    by: z.enum(['user', 'model']).default('user').describe('Who invokes the skill'),
  }),
  output: z.strictObject({
    skill: z.strictObject({ id: z.string(), name: z.string(), path: z.string(), dir: z.string() }),
    body: z.string().describe('Text for the model with the arguments filled in'),
    next_offset: z
      .int()
      .nullable()
      .describe('Plan again with this offset for the next part; null at the end'),
    arguments: z.array(z.string()),
    mode: z.enum(['inline', 'fork']).describe('fork: run in a separate conversation'),
    agent: z.string().nullable().describe('Kind of agent for a fork'),
    agent_type: z
      .strictObject({
        type: z.string(),
        model: z.string().nullable(),
        tools: z.enum(['read-only', 'terminal', 'all']),
        use: z.string(),
      })
      .nullable()
      .describe('Definition of that kind of agent; null for an agent the user defined'),
    is_mode: z.boolean().describe('Whether it is a mode, which stays on afterwards'),
    model: z.string().nullable().describe('Model to use; null for the model of the conversation'),
    effort: z.string().nullable(),
    background: z.boolean(),
    allowed_tools: z.array(z.string()),
    disallowed_tools: z.array(z.string()),
    hooks: z.array(z.strictObject({ event: z.string(), matcher: z.string().nullable(), handler: Handler })),
    files: z.strictObject({
      entries: z.array(z.strictObject({ path: z.string(), files: z.int() })),
      total: z.int(),
      missing: z.int(),
      truncated: z.boolean(),
    }),
    quiz: QuizView.nullable().describe('Quiz to pass first; the body is then its text'),
    dynamic: z
      .array(
        z.strictObject({
          source: z.string().describe('The command as the author wrote it'),
          command: z.string().describe('Command for a shell; arguments are variables in it'),
          env: z.record(z.string(), z.string()).describe('Variables the command refers to'),
          written: z.string(),
          line: z.int(),
          literal: z.array(z.string()).describe('Placeholders left as written'),
          refused: z.string().nullable().describe('Why it must not run with these arguments'),
        }),
      )
      .describe('Commands in the body; this method never runs them'),
    diagnostics: z.array(Remark),
  }),
  effect: 'read',
  writes: [],
  touches: { skill: 'name', operation: 'invoke' },
  async run({ arguments: args, by, offset, ...reference }, connection) {
    const plan = await (await connection.session()).plan(reference, args, { by, offset });
    const { allowedTools, disallowedTools, agentType, isMode, issues: _, ...rest } = plan;
    return {
      ...rest,
      agent_type: agentType,
      is_mode: isMode,
      allowed_tools: allowedTools,
      disallowed_tools: disallowedTools,
    };
  },
});
