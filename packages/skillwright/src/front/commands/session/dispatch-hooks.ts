// hooks.dispatch, hooks.decide: raise an event for the hooks of skills, and decide about hooks that are not trusted.

import * as z from 'zod';
import { HOOK_TYPES } from '../../../skill/format/index.ts';
import { defineOperation } from '../define-command.ts';
import { Remark, withReference } from './wire-shapes.ts';

const Decision = z.enum(['block', 'ask', 'allow']).nullable();

/** Runs the hooks of loaded and active skills for an event. */
export const dispatchHooks = defineOperation({
  input: z.strictObject({
    event: z.string().min(1).describe('Name of the event, such as PreToolUse'),
    payload: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Data of the event, such as tool_name and tool_input'),
  }),
  output: z.strictObject({
    decision: Decision.describe('block: do not proceed; also returned when a deciding hook cannot run'),
    reasons: z.array(z.string()),
    context: z.array(z.string()).describe('Text for the model'),
    messages: z.array(z.string()).describe('Text for the user'),
    continue: z.boolean().describe('False: stop the agent'),
    stop_reason: z.string().nullable(),
    results: z.array(
      z.strictObject({
        skill: z.string(),
        type: z.enum(HOOK_TYPES),
        label: z.string().describe('The command, prompt, URL or tool'),
        status: z.enum(['done', 'blocked', 'failed', 'skipped', 'started']),
        output: z.record(z.string(), z.unknown()).nullable().describe('JSON output of the hook'),
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

/** Keeps the decision until the files of the skill change. */
export const decideHooks = defineOperation({
  input: withReference({
    decision: z
      .enum(['run', 'skip', 'block'])
      .describe(
        'run: the user trusts them; skip: go on without them; block: what they watch stays blocked, as before',
      ),
  }),
  output: z.strictObject({ decision: z.enum(['run', 'skip', 'block']) }),
  effect: 'write',
  writes: [],
  touches: { skill: 'name', operation: 'run' },
  async run({ decision, ...reference }, connection) {
    await (await connection.session()).decideHooks(reference, decision);
    return { decision };
  },
});
