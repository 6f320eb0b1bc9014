// The server of one connection: tools, prompts and the skills extension over one workspace.

import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { toolVersion } from '../../base/version.ts';
import { createQuizMemory } from '../../skill/quiz/index.ts';
import type { Backend, Caller } from './backend.ts';
import type { ServedTool } from './load-tools.ts';

const instructions =
  'Skills of this machine, section by section. skc_find finds one, skc_list names them; skc_search and skc_outline find a section, skc_show reads it.';

/** How one connection differs from another. */
export interface ConnectionOptions {
  /** The working directory of a call; the workspace's own unless the client has another. */
  readonly cwd: () => Promise<string>;
  /** Whether the client is told when lists change. */
  readonly tellsChanges: boolean;
  /** Whether quizzes passed on the command line count, for requests that stand alone; else the connection remembers its own. */
  readonly sharesQuizzes?: boolean;
}

/** What the servers of all connections share. */
export interface Serving {
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly backend: Backend;
  note(text: string): void;
}

/** A server that is not connected yet. */
export function createServer({ tools, backend, note }: Serving, options: ConnectionOptions): McpServer {
  const { cwd, tellsChanges, sharesQuizzes = false } = options;
  const mcp = new McpServer(
    { name: 'skc', title: 'Skillwright', version: toolVersion },
    {
      instructions,
      capabilities: { resources: { listChanged: tellsChanges } },
    },
  );
  const { server } = mcp;
  const connection = crypto.randomUUID();
  const quizzes = sharesQuizzes ? undefined : createQuizMemory();
  const caller = async (): Promise<Caller> => ({ connection, cwd: await cwd(), quizzes });

  // Not registered with the SDK tool by tool: an HTTP server makes one of these for each request.
  server.registerCapabilities({
    tools: { listChanged: tellsChanges },
    prompts: { listChanged: tellsChanges },
  });
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: args } = params;
    if (!tools.has(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
    return backend.callTool(await caller(), { name, args, signal: mcpReq.signal });
  });
  server.setRequestHandler('prompts/list', async () => ({
    prompts: await backend.listPrompts(await caller()),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) =>
    backend.getPrompt(await caller(), { name: params.name, values: params.arguments ?? {} }),
  );
  new SkillsExtension({
    source: backend.skillSource(caller),
    onWarning: ({ path, message }) => note(`mcp: ${path}: ${message}`),
  }).attach(mcp);
  return mcp;
}

/** Tells a client that the skills have changed, and with them everything that is made from them. */
export function tellChanges({ server }: McpServer, onError: (error: Error) => void): void {
  server.sendToolListChanged().catch(onError);
  server.sendResourceListChanged().catch(onError);
  server.sendPromptListChanged().catch(onError);
}
