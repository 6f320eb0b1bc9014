// The server of one connection: tools, prompts and the skills extension over one workspace.

import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { toolVersion } from '../../base/version.ts';
import type { Session } from '../../host/runtime/index.ts';
import { createQuizMemory, type QuizMemory } from '../../skill/quiz/index.ts';
import type { CommandContext } from '../commands/index.ts';
import { callTool } from './call-tool.ts';
import { describePrompts, renderPrompt } from './prompts.ts';
import { createSkillSource } from './skill-source.ts';
import type { Workspace } from './workspace.ts';

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
export function createServer(workspace: Workspace, options: ConnectionOptions): McpServer {
  const { cwd, tellsChanges, quizMemory = createQuizMemory() } = options;
  const { context, tools, reader } = workspace;
  const mcp = new McpServer(
    { name: 'skc', title: 'Skillwright', version: toolVersion },
    {
      instructions,
      capabilities: { resources: { listChanged: tellsChanges } },
    },
  );
  const { server } = mcp;
  const listSkills = async () => {
    const here = await cwd();
    return workspace.permit.filter(workspace.listSkills(here), here);
  };
  const session = keepSessions();

  // The list never changes, so it is not registered with the SDK tool by tool: an HTTP server makes one of these for each request.
  server.registerCapabilities({ tools: {}, prompts: { listChanged: tellsChanges } });
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    const surroundings = { ...context, cwd: await cwd(), signal: mcpReq.signal, session, quizMemory };
    return callTool(tool, params.arguments, surroundings);
  });
  server.setRequestHandler('prompts/list', async () => ({ prompts: describePrompts(await listSkills()) }));
  server.setRequestHandler('prompts/get', async ({ params }) =>
    renderPrompt(await listSkills(), { name: params.name, values: params.arguments ?? {}, quizMemory }),
  );
  new SkillsExtension({
    source: createSkillSource(listSkills, reader, quizMemory),
    onWarning: ({ path, message }) => context.note(`mcp: ${path}: ${message}`),
  }).attach(mcp);
  return mcp;
}

/** One session for each working directory of a connection, made when it is first needed there. */
function keepSessions(): (context: CommandContext) => Promise<Session> {
  const sessions = new Map<string, Promise<Session>>();
  return async (context) => {
    const { cwd } = context;
    const known = sessions.get(cwd);
    if (known !== undefined) {
      const session = await known;
      // Skills and rules may have changed since the last call, and both hold at once.
      await session.catalog({ reload: true });
      return session;
    }
    const session = openSession(context);
    sessions.set(cwd, session);
    // A session that could not be made is tried again.
    session.catch(() => sessions.delete(cwd));
    return session;
  };
}

/** A session that shares its catalog with the other operations of the server. Who runs skc in a directory trusts it. */
async function openSession(context: CommandContext): Promise<Session> {
  const [{ createSession }, { openCatalog }] = await Promise.all([
    import('../../host/runtime/create-session.ts'),
    import('../commands/catalog-input.ts'),
  ]);
  const { cwd, home, env, keepCatalog, quizMemory } = context;
  // The session itself says what is odd about the configuration.
  const place = { cwd, home, env, keepCatalog, report: () => {} };
  const loadCatalog = () => openCatalog({ agents: [], node_modules: false }, place);
  return createSession({
    cwd,
    home,
    env,
    trust: true,
    loadCatalog,
    ...(quizMemory === undefined ? {} : { quizMemory }),
  });
}
