// The work of a server in this process.

import type { Session } from '../../host/runtime/index.ts';
import { openQuizStateFile } from '../../skill/quiz/index.ts';
import type { CommandContext, FrontContext } from '../commands/index.ts';
import type { Backend, Caller } from './backend.ts';
import { callTool } from './call-tool.ts';
import { describePrompts, renderPrompt } from './prompts.ts';
import type { ServerState } from './server-state.ts';
import { createSkillSource } from './skill-source.ts';
import { watchServed } from './watch-served.ts';

/** More connections are forgotten, the oldest first: what they were given is given again. */
const MAX_CONNECTIONS = 128;

type OpenSession = (context: CommandContext) => Promise<Session>;

/** Works on the state of a server. */
export function createLocalBackend(state: ServerState): Backend {
  const connections = new Map<string, OpenSession>();
  const sessionOf = (connection: string): OpenSession => {
    const session = connections.get(connection) ?? keepSessions();
    connections.delete(connection);
    connections.set(connection, session);
    for (const oldest of [...connections.keys()].slice(0, -MAX_CONNECTIONS)) connections.delete(oldest);
    return session;
  };
  const frontOf = async ({ connection, cwd, quizzes }: Caller): Promise<FrontContext> => ({
    ...state.context,
    cwd,
    session: sessionOf(connection),
    quizMemory: quizzes ?? openQuizStateFile(await state.workspace(cwd), () => state.context.now()),
  });
  const listSkills = async (caller: Caller) => state.listSkills(await frontOf(caller));
  return {
    async callTool(caller, { name, args, signal }) {
      return callTool({ tool: state.tools.get(name)!, tools: state.tools }, args, {
        ...(await frontOf(caller)),
        signal,
      });
    },
    listPrompts: async (caller) => describePrompts(await listSkills(caller)),
    getPrompt: async (caller, { name, values }) =>
      renderPrompt(await listSkills(caller), {
        name,
        values,
        context: await state.open(await frontOf(caller)),
      }),
    skillSource: (caller) =>
      createSkillSource(
        async () => listSkills(await caller()),
        state.reader,
        async () => state.open(await frontOf(await caller())),
      ),
    watch: (cwd, changed) => watchServed(state, cwd, changed),
    close: async () => state.close(),
  };
}

/** One session for each working directory of a connection, made when it is first needed there. */
function keepSessions(): OpenSession {
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
