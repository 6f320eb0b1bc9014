// The session that a command loads skills through: that of the connection, else one for this run alone.

import { createSession, type Session } from '../../host/runtime/index.ts';
import type { CommandContext } from './command-context.ts';

/** A part of a body for a model: with the list of files it fits into what a result may have. */
const MODEL_BODY_BYTES = 60_000;

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
    ...(context.by === 'model' ? { maxBodyBytes: MODEL_BODY_BYTES } : {}),
    ...(context.ask === undefined
      ? {}
      : { confirm: ({ skill }) => context.ask!.confirm(`Read ${skill.name}?`) }),
  });
}
