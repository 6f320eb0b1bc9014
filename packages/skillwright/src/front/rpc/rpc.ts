// skc rpc: skills for an agent host that is written in another language, or runs in another process.

import * as z from 'zod';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { defineCommand } from '../commands/index.ts';
import { claimStandardStreams } from '../streams/index.ts';
import { RpcMethodSchema, rpcSchemas } from './rpc-schemas.ts';

/** Serves skills over JSON-RPC on standard input and output, or prints the schemas of the protocol. */
export const rpc = defineCommand({
  input: z.strictObject({
    schema: z.boolean().default(false).describe('Print the methods as JSON Schema, and serve nothing'),
  }),
  positionals: [],
  output: z
    .record(z.string(), RpcMethodSchema)
    .optional()
    .describe('The methods by name. Nothing when it served: standard output belonged to the protocol'),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'JSON-RPC 2.0, one message a line: list, search, load and read skills, switch them on and off, ask for permissions, save and\nresume. What it serves is a session: the same text is sent once, and every rule holds. The server ends with its input.',
  examples: [
    { line: 'skc rpc', note: 'what a host starts' },
    { line: 'skc rpc --schema', note: 'what to write or generate a client from' },
  ],
  async run({ schema }, context) {
    if (schema) return rpcSchemas();
    const streams = claimStandardStreams();
    const [{ createConnection }, { serveLines }] = await Promise.all([
      import('./create-connection.ts'),
      import('./serve-lines.ts'),
    ]);
    const { signal } = context;
    const { cwd, home, env } = context.workspace;
    const told = new Set<string>();
    const report = (diagnostic: Diagnostic) => {
      // What keeps one row from being written keeps all of them.
      if (!told.has(diagnostic.code)) context.report(diagnostic);
      told.add(diagnostic.code);
    };
    const log = { now: () => context.now(), report };
    await serveLines(createConnection({ cwd, home, env, log }), { ...streams, signal });
    return undefined;
  },
  text: (output) => (output === undefined ? '' : `${JSON.stringify(output, null, 2)}\n`),
});
