// skc rpc: skills for agent hosts in other languages or other processes.

import * as z from 'zod';
import { type CommandContext, defineCommand } from '../commands/index.ts';
import { claimStandardStreams } from '../streams/index.ts';
import { RpcMethodSchema, rpcSchemas } from './rpc-schemas.ts';

/** Serves skills over JSON-RPC on standard input and output, or prints the schemas of the protocol. */
export const rpc = defineCommand({
  input: z.strictObject({
    schema: z.boolean().default(false).describe('Print the methods as JSON Schema and exit'),
  }),
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
  examples: [
    { line: 'skc rpc', note: 'serve on stdin and stdout; hosts start it like this' },
    { line: 'skc rpc --schema', note: 'print the schema, to generate a client' },
  ],
  async run({ schema }, context) {
    if (schema) return rpcSchemas();
    const streams = claimStandardStreams();
    const { serveLines } = await import('./serve-lines.ts');
    await serveLines((send) => openAnswerer(context, send), { ...streams, signal: context.signal });
    return undefined;
  },
  text: (output) => (output === undefined ? '' : `${JSON.stringify(output, null, 2)}\n`),
});

/** Answers lines. */
export interface Answerer {
  answer(line: Uint8Array): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Answers in a child process if one can be started, otherwise in this one. */
async function openAnswerer(context: CommandContext, send: (line: string) => void): Promise<Answerer> {
  if (context.launch !== undefined) {
    const { createDeputyAnswerer } = await import('./deputy-answerer.ts');
    return createDeputyAnswerer(context, send);
  }
  const { createLocalAnswerer } = await import('./local-answerer.ts');
  return createLocalAnswerer(context, send);
}
