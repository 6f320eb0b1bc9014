// Running a script of a skill.

import * as z from 'zod';
import type { Diagnostic } from '../../../base/diagnostics/index.ts';
import { defineOperation } from '../define-command.ts';
import { run } from '../run.ts';
import { Remark, withReference } from './wire-shapes.ts';

/** Runs a script in the sandbox, and gives what it has left, also when it failed. */
export const runSkillScript = defineOperation({
  input: withReference({
    script: z.string().min(1).describe('Its name in the list of scripts'),
    args: z.array(z.string()).default([]).describe('Its arguments, each as it is'),
    stdin: z.string().optional().describe('Text for its standard input'),
    timeout: z.number().positive().optional().describe('Seconds; no more than the user has configured'),
    json: z.boolean().default(false).describe('Read what it prints as JSON'),
  }),
  output: run.output.extend({
    data: z.unknown().optional().describe('With json: what it printed'),
    diagnostics: z.array(Remark).describe('What the script had to do without'),
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
