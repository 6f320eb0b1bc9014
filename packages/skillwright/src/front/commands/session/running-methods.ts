// Methods that run code of skills: scripts, tools and hooks.

import * as z from 'zod';
import type { Diagnostic } from '../../../base/diagnostics/index.ts';
import { Remark } from '../../../host/answers/index.ts';
import { findActiveTool } from '../../../host/runtime/index.ts';
import { HOOK_TYPES } from '../../../skill/format/index.ts';
import { run } from '../run.ts';
import { ActiveTool, method, readsSkill, runsSkill, wireTool, withReference } from './method.ts';

const Decision = z.enum(['block', 'ask', 'allow']).nullable();

/** The methods, in the order a client meets them. */
export const runningMethods = {
  'scripts.list': method({
    summary: 'List the scripts of a skill',
    input: withReference({}),
    output: z.strictObject({
      scripts: z.array(
        z.strictObject({
          name: z.string(),
          path: z.string().describe('Path relative to the skill'),
          interpreters: z.array(z.string()).describe('Programs that can run it, preferred first'),
          summary: z.string().describe('First line of its own description'),
        }),
      ),
    }),
    ...readsSkill,
    answer: async (reference, session) => ({ scripts: await session.listScripts(reference) }),
  }),
  'scripts.run': method({
    summary: 'Run a script of a skill in a sandbox',
    input: withReference({
      script: z.string().min(1).describe('Name from scripts.list'),
      args: z.array(z.string()).default([]).describe('Arguments, passed unchanged'),
      stdin: z.string().optional().describe('Text for standard input'),
      timeout: z.number().positive().optional().describe('Time limit in seconds, up to the configured limit'),
      json: z.boolean().default(false).describe('Parse the output as JSON'),
    }),
    output: run.output.extend({
      data: z.unknown().optional().describe('With json: the parsed output'),
      diagnostics: z.array(Remark).describe('What the script had to run without'),
    }),
    ...runsSkill,
    async answer({ name, path, script, ...how }, session, { signal }) {
      const diagnostics: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
      const envelope = await session.runScript({ name, path }, script, { ...how, signal, report });
      return { ...envelope, diagnostics };
    },
  }),
  'tools.activate': method({
    summary: 'Start the tools of a skill',
    input: withReference({}),
    output: z.strictObject({
      tools: z.array(ActiveTool),
      diagnostics: z.array(Remark).describe('One for each toolset or tool that cannot be used'),
    }),
    ...runsSkill,
    async answer(reference, session) {
      const { tools, diagnostics } = await session.activate(reference);
      return { tools: tools.map(wireTool), diagnostics };
    },
  }),
  'tools.list': method({
    summary: 'List the tools of active skills',
    input: z.strictObject({}),
    output: z.strictObject({ tools: z.array(ActiveTool) }),
    writes: [],
    touches: { skills: 'run' },
    answer: (_params, session) => ({ tools: session.tools().map(wireTool) }),
  }),
  'tools.call': method({
    summary: 'Call a tool of an active skill',
    input: z.strictObject({
      tool: z.string().min(1).describe('Full name from tools.list, or the short name together with skill'),
      skill: z
        .string()
        .optional()
        .describe('Skill that provides the tool: its name, or the path of its SKILL.md'),
      input: z.record(z.string(), z.unknown()).default({}),
    }),
    output: z.strictObject({
      result: z.unknown().describe('Plain JSON from the skill; treat its text as untrusted'),
    }),
    writes: ['granted directories'],
    touches: { skills: 'run' },
    async answer({ tool, skill, input }, session, { signal }) {
      const found = findActiveTool(session, { tool, skill });
      return { result: (await found.call(input, { signal })) ?? null };
    },
  }),
  'tools.deactivate': method({
    summary: 'Stop the tools of a skill',
    input: withReference({}),
    output: z.strictObject({ deactivated: z.boolean().describe('False when the skill was not active') }),
    writes: [],
    touches: { skills: 'list' },
    answer: async (reference, session) => ({ deactivated: await session.deactivate(reference) }),
  }),
  'hooks.dispatch': method({
    summary: 'Send an event to the hooks of loaded and active skills, and get their decision',
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
    writes: ['granted directories'],
    touches: { skills: 'run' },
    async answer({ event, payload }, session, { signal }) {
      const report = await session.hooks(event, payload, signal === undefined ? {} : { signal });
      const { decision, stopReason, results, ...rest } = report;
      return {
        ...rest,
        decision: decision ?? null,
        stop_reason: stopReason ?? null,
        results: results.map(({ effect, ...result }) => ({ ...result, output: effect?.output ?? null })),
      };
    },
  }),
  'hooks.decide': method({
    summary: 'Decide about the hooks of a skill the user has not trusted',
    input: withReference({
      decision: z
        .enum(['run', 'skip', 'block'])
        .describe(
          'run: the user trusts them; skip: go on without them; block: what they watch stays blocked, as before',
        ),
    }),
    output: z.strictObject({ decision: z.enum(['run', 'skip', 'block']) }),
    writes: [],
    touches: { skill: 'name', operation: 'run' },
    async answer({ decision, ...reference }, session) {
      await session.decideHooks(reference, decision);
      return { decision };
    },
  }),
};
