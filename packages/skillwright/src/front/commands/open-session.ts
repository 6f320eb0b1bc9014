// The session that a command loads skills through: that of the connection, else one for this run alone.

import { createSession, type Session } from '../../host/runtime/index.ts';
import type { CommandContext } from './command-context.ts';

/** Opens it. Who runs skc in a directory trusts it. A session that outlives a command asks for the `latest` context. */
export async function openSession(
  context: CommandContext,
  latest: () => Pick<CommandContext, 'workspace' | 'access'> = () => context,
): Promise<Session> {
  if (context.session !== undefined) return context.session(context);
  const { cwd, home, env } = context.workspace;
  return createSession({
    cwd,
    home,
    env,
    trust: true,
    workspace: async () => latest().workspace,
    loadCatalog: () => latest().access.catalog({ fresh: true }),
    quizMemory: await context.memory(),
    ...(context.ask === undefined
      ? {}
      : { confirm: ({ skill }) => context.ask!.confirm(`Read ${skill.name}?`) }),
  });
}
