// The server of one connection: tools, prompts and the skills extension over one workspace.

import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { toolVersion } from '../../base/version.ts';
import type { Session } from '../../host/runtime/index.ts';
import { createQuizMemory, type QuizMemory } from '../../skill/quiz/index.ts';
import type { CommandContext, FrontContext } from '../commands/index.ts';
import { callTool } from './call-tool.ts';
import { describePrompts, renderPrompt } from './prompts.ts';
import type { ServerState } from './server-state.ts';
import { createSkillSource } from './skill-source.ts';

const instructions =
  'Skills of this machine, section by section. skc_find finds one, skc_list names them; skc_search and skc_outline find a section, skc_show reads it.';

/** How one connection differs from another. */
export interface ConnectionOptions {
  /** The working directory of a call; the workspace's own unless the client has another. */
  readonly cwd: () => Promise<string>;
  /** Whether the client is told when lists change. */
  readonly tellsChanges: boolean;
  /** Which quizzes were passed; by default what the connection itself remembers. */
  readonly quizMemory?: QuizMemory;
}

/** A server that is not connected yet. */
export function createServer(state: ServerState, options: ConnectionOptions): McpServer {
  const { cwd, tellsChanges, quizMemory = createQuizMemory() } = options;
  const { context, tools, reader } = state;
  const mcp = new McpServer(
    { name: 'skc', title: 'Skillwright', version: toolVersion },
    {
      instructions,
      capabilities: { resources: { listChanged: tellsChanges } },
    },
  );
  const { server } = mcp;
  const session = keepSessions();
  const front = async (): Promise<FrontContext> => ({ ...context, cwd: await cwd(), session, quizMemory });
  const listSkills = async () => state.listSkills(await front());

  // The list never changes, so it is not registered with the SDK tool by tool: an HTTP server makes one of these for each request.
  server.registerCapabilities({ tools: {}, prompts: { listChanged: tellsChanges } });
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    return callTool(tool, params.arguments, { ...(await front()), signal: mcpReq.signal });
  });
  server.setRequestHandler('prompts/list', async () => ({ prompts: describePrompts(await listSkills()) }));
  server.setRequestHandler('prompts/get', async ({ params }) =>
    renderPrompt(await listSkills(), {
      name: params.name,
      values: params.arguments ?? {},
      context: await state.open(await front()),
    }),
  );
  new SkillsExtension({
    source: createSkillSource(listSkills, reader, async () => state.open(await front())),
    onWarning: ({ path, message }) => context.note(`mcp: ${path}: ${message}`),
  }).attach(mcp);
  return mcp;
}

/** One session for each working directory of a connection, made when it is first needed there. */
function keepSessions(): (context: CommandContext) => Promise<Session> {
  const sessions = new Map<string, { session: Promise<Session>; latest: CommandContext }>();
  return async (context) => {
    const { cwd } = context.workspace;
    const known = sessions.get(cwd);
    if (known !== undefined) {
      known.latest = context;
      const session = await known.session;
      // Skills and rules may have changed since the last call, and both hold at once.
      await session.catalog({ reload: true });
      return session;
    }
    const { openSession } = await import('../commands/open-session.ts');
    const session = openSession({ ...context, session: undefined }, () => kept.latest);
    const kept = { session, latest: context };
    sessions.set(cwd, kept);
    // A session that could not be made is tried again.
    session.catch(() => sessions.delete(cwd));
    return session;
  };
}
