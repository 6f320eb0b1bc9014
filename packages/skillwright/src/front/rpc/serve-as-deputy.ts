// A process that answers lines for `skc rpc`, and can be given up.

import type { CommandContext } from '../commands/index.ts';
import { claimStandardStreams, type Duties, serveDeputy } from '../streams/index.ts';
import { answerText } from './answer-message.ts';
import type { FolderConnection } from './create-connection.ts';
import type { AnsweredLine, SentLine, SessionState } from './deputy-answerer.ts';
import { openConnection } from './open-connection.ts';

/** Works until the server goes away. */
export async function serveRpcDeputy(context: CommandContext): Promise<void> {
  await serveDeputy(claimStandardStreams(), {
    signal: context.signal,
    prepare: async () => prepareDuties(context),
  });
}

function prepareDuties(context: CommandContext): Duties {
  let connection: FolderConnection | undefined;
  let version = '';
  /** The state of that version, as text. */
  let known = '';
  return {
    async answer({ text, sessionId, state }: SentLine): Promise<AnsweredLine> {
      connection ??= openConnection(context, { sessionId });
      if (state.version !== version) {
        // What this process knows besides is kept, and told with the answer.
        await takeUp(connection, state);
        version = state.version;
        known = JSON.stringify(stateWithoutVersion(state));
      }
      const answer = (await answerText(text, connection)) ?? null;
      const now = await stateOf(connection);
      if (JSON.stringify(now) === known) return { answer };
      known = JSON.stringify(now);
      version = crypto.randomUUID();
      return { answer, state: { version, ...now } };
    },
  };
}

const stateWithoutVersion = ({ folder, saved }: SessionState) => ({ folder, saved });

/** Goes on where another process was. */
async function takeUp(connection: FolderConnection, { folder, saved }: SessionState): Promise<void> {
  if (folder === undefined) return;
  if (connection.folder() === undefined) connection.open(folder);
  if (saved !== undefined) await (await connection.session()).resume(saved, { vouched: true });
}

/** What another process would have to know. The skills that were there are not part of it: each sees them for itself. */
async function stateOf(connection: FolderConnection): Promise<Omit<SessionState, 'version'>> {
  const folder = connection.folder();
  if (folder === undefined) return {};
  const sessions = await connection.sessions();
  const session = sessions.get(folder.cwd);
  if (session === undefined) return { folder };
  const saved = await session.save().catch(() => undefined);
  return saved === undefined ? { folder } : { folder, saved: { ...saved, known: [] } };
}
