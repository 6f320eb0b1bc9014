// Planning how a skill is carried out.

import * as z from 'zod';
import { HOOK_TYPES } from '../../../skill/format/index.ts';
import { QuizView } from '../../../skill/quiz/index.ts';
import { defineOperation } from '../define-command.ts';
import { Remark, withReference } from './wire-shapes.ts';

/** A hook as the skill has it; what else it holds depends on its type. */
const Handler = z.looseObject({ type: z.enum(HOOK_TYPES) });

/** Gives the plan; runs nothing. */
export const planSkill = defineOperation({
  input: withReference({
    arguments: z
      .union([z.string(), z.array(z.string())])
      .default('')
      .describe('As the user typed them, or cut into words'),
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe('Bytes of a long text to skip: the next_offset of the part before'),
    by: z.enum(['user', 'model']).default('user').describe('Who wants it carried out'),
  }),
  output: z.strictObject({
    skill: z.strictObject({ id: z.string(), name: z.string(), path: z.string(), dir: z.string() }),
    body: z.string().describe('For the model, with the arguments filled in'),
    next_offset: z.int().nullable().describe('Plan again from here for the next part; null at the end'),
    arguments: z.array(z.string()),
    mode: z.enum(['inline', 'fork']).describe('fork: in a conversation of its own'),
    agent: z.string().nullable().describe('The kind of agent for a fork'),
    agent_type: z
      .strictObject({
        type: z.string(),
        model: z.string().nullable(),
        tools: z.enum(['read-only', 'terminal', 'all']),
        use: z.string(),
      })
      .nullable()
      .describe("What that kind of agent is; null for one of the user's own"),
    is_mode: z.boolean().describe('Whether it is one of the modes, which stay on after it'),
    model: z.string().nullable().describe('Null: the model of the conversation'),
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
    quiz: QuizView.nullable().describe('What has to be passed first; then the body is its text'),
    dynamic: z
      .array(
        z.strictObject({
          source: z.string().describe('As the author wrote it'),
          command: z.string().describe('For a shell; arguments are variables in it'),
          env: z.record(z.string(), z.string()).describe('The variables it refers to'),
          written: z.string(),
          line: z.int(),
          literal: z.array(z.string()).describe('Placeholders that stay as they are written'),
          refused: z.string().nullable().describe('Why it must not be run with these arguments'),
        }),
      )
      .describe('Commands of the body; they are never run here'),
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
