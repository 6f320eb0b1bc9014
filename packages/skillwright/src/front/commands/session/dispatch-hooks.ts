// Raising an event for the hooks of skills.

import * as z from 'zod';
import { HOOK_TYPES } from '../../../skill/format/index.ts';
import { defineOperation } from '../define-command.ts';
import { Remark } from './wire-shapes.ts';

const Decision = z.enum(['block', 'ask', 'allow']).nullable();

/** Runs the hooks that loaded and active skills have for an event. */
export const dispatchHooks = defineOperation({
  input: z.strictObject({
    event: z.string().min(1).describe('Such as PreToolUse'),
    payload: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('The particulars of the event, such as tool_name and tool_input'),
  }),
  output: z.strictObject({
    decision: Decision.describe('block: do not go on; a hook that decides and cannot run says so too'),
    reasons: z.array(z.string()),
    context: z.array(z.string()).describe('For the model'),
    messages: z.array(z.string()).describe('For the user'),
    continue: z.boolean().describe('False: the agent shall stop'),
    stop_reason: z.string().nullable(),
    results: z.array(
      z.strictObject({
        skill: z.string(),
        type: z.enum(HOOK_TYPES),
        label: z.string().describe('The command, the prompt, the address, the tool'),
        status: z.enum(['done', 'blocked', 'failed', 'skipped', 'started']),
        output: z.record(z.string(), z.unknown()).nullable().describe('The JSON it answered with'),
      }),
    ),
    diagnostics: z.array(Remark),
  }),
  effect: 'destructive',
  writes: ['granted directories'],
  touches: { skills: 'run' },
  async run({ event, payload }, connection) {
    const session = await connection.session();
    const { signal } = connection;
    const report = await session.hooks(event, payload, signal === undefined ? {} : { signal });
    const { decision, stopReason, results, ...rest } = report;
    return {
      ...rest,
      decision: decision ?? null,
      stop_reason: stopReason ?? null,
      results: results.map(({ effect, ...result }) => ({ ...result, output: effect?.output ?? null })),
    };
  },
});
