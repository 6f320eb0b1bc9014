// skc rpc: skills for agent hosts in other languages or other processes.

import * as z from 'zod';
import { defineCommand, flag } from '../commands/index.ts';
import { claimStandardStreams } from '../streams/index.ts';
import { RpcMethodSchema, rpcSchemas } from './rpc-schemas.ts';

/** Serves skills over JSON-RPC on standard input and output, or prints the schemas of the protocol. */
export const rpc = defineCommand({
  fields: {
    schema: flag('Print the methods as JSON Schema and exit'),
  },
  positionals: [],
  output: z
    .record(z.string(), RpcMethodSchema)
    .optional()
    .describe('Methods by name. Empty after serving: standard output carries the protocol'),
  effect: 'write',
  writes: [],
  touches: 'nothing',
  about:
    'JSON-RPC 2.0, one message per line: list, search, load and read skills, run their scripts, tools and hooks, turn them on and off, check permissions, save and resume. Each connection is a session: it sends each text once and applies all your rules. The server stops when its input ends.',
  examples: {
    'skc rpc': 'serve on stdin and stdout; hosts start it like this',
    'skc rpc --schema': 'print the schema, to generate a client',
  },
  async run({ schema }, context) {
    if (schema) return rpcSchemas();
    const streams = claimStandardStreams();
    const [{ serveLines }, { createDeputyAnswerer }] = await Promise.all([
      import('./serve-lines.ts'),
      import('./deputy-answerer.ts'),
    ]);
    await serveLines((send) => createDeputyAnswerer(context, send), { ...streams, signal: context.signal });
    return undefined;
  },
  text: (output) => (output === undefined ? '' : `${JSON.stringify(output, null, 2)}\n`),
});
