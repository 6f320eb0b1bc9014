// Operations of a session: scripts.list, scripts.run.

import * as z from 'zod';
import type { Diagnostic } from '../../../base/diagnostics/index.ts';
import { defineOperation } from '../define-command.ts';
import { run } from '../run.ts';
import { Remark, readsSkill, withReference } from './wire-shapes.ts';

/** Lists the scripts that scripts.run runs. */
export const listScripts = defineOperation({
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
  run: async (reference, connection) => ({
    scripts: await (await connection.session()).listScripts(reference),
  }),
});

/** Runs a script in the sandbox and returns its output, also on failure. */
export const runSkillScript = defineOperation({
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
  effect: 'destructive',
  writes: ['granted directories'],
  touches: { skill: 'name', operation: 'run' },
  async run({ name, path, script, ...how }, connection) {
    const diagnostics: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
    const session = await connection.session();
    const { signal } = connection;
    const envelope = await session.runScript({ name, path }, script, { ...how, signal, report });
    return { ...envelope, diagnostics };
  },
});
