// The session a command loads skills through: the connection's, else one for this run.

import type { Session } from '../../host/runtime/index.ts';
import type { CommandContext } from './command-context.ts';

/** Length of one part of a body for a model; together with the list of files it fits into a result. */
const MODEL_BODY_BYTES = 60_000;

/** Opens it. Running skc in a directory means trusting it. A session that outlives a command asks for the `latest` context. */
export async function openSession(
  context: CommandContext,
  latest: () => Pick<CommandContext, 'workspace' | 'access'> = () => context,
): Promise<Session> {
  if (context.session !== undefined) return context.session(context);
  const { createSession } = await import('../../host/runtime/create-session.ts');
  const { cwd, home, env } = context.workspace;
  return createSession({
    cwd,
    home,
    env,
    trust: true,
    // A command serves texts in parts; `skc show` and its siblings read sections.
    loadBudget: Number.POSITIVE_INFINITY,
    workspace: async () => latest().workspace,
    loadCatalog: () => latest().access.catalog({ fresh: true }),
    quizMemory: await context.memory(),
    ...(context.by === 'model' ? { maxBodyBytes: MODEL_BODY_BYTES } : {}),
    ...(context.ask === undefined
      ? {}
      : { confirm: ({ skill }) => context.ask!.confirm(`Read ${skill.name}?`) }),
  });
}
