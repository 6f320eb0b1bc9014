// A child process that answers lines for `skc rpc` and can be killed at any time.

import type { CommandContext } from '../commands/index.ts';
import { claimStandardStreams, type Duties, serveDeputy } from '../streams/index.ts';
import { answerText } from './answer-message.ts';
import { type FolderConnection, openConnection } from './create-connection.ts';
import type { AnsweredLine, SentLine, SessionState } from './deputy-answerer.ts';
import { CHANGED, watchFolder } from './watch-folder.ts';

/** Works until the server exits. */
export async function serveRpcDeputy(context: CommandContext): Promise<void> {
  let connection: FolderConnection | undefined;
  const open = (sessionId: string) => {
    connection ??= openConnection(context, { sessionId });
    return connection;
  };
  await serveDeputy(claimStandardStreams(), {
    signal: context.signal,
    prepare: async (tell) => prepareDuties(open, () => tell(CHANGED)),
  });
  await connection?.close();
}

/** Most versions remembered; there are never more requests in flight. */
const MAX_VERSIONS = 1000;

function prepareDuties(open: (sessionId: string) => FolderConnection, changed: () => void): Duties {
  /** Versions this process created or received; its state includes all of them. */
  const versions = new Set(['']);
  /** The latest state, as text. */
  let known = '';
  const remember = (version: string, state: object) => {
    versions.add(version);
    for (const oldest of [...versions].slice(0, -MAX_VERSIONS)) versions.delete(oldest);
    known = JSON.stringify(state);
  };
  let isWatching = false;
  /** Resolves when the last state sent has been restored; later lines wait for it. */
  let ready: Promise<void> = Promise.resolve();
  return {
    async answer({ text, sessionId, state }: SentLine, { signal }): Promise<AnsweredLine> {
      const connection = open(sessionId);
      if (!versions.has(state.version)) {
        // Keep what this process knows in addition, and return it with the answer.
        remember(state.version, stateWithoutVersion(state));
        ready = takeUp(connection, state);
      }
      try {
        await ready;
      } catch (error) {
        // The next line tries again.
        versions.delete(state.version);
        ready = Promise.resolve();
        throw error;
      }
      const answer = (await answerText(text, connection, signal)) ?? null;
      const now = await deputyState(connection);
      if (JSON.stringify(now) === known) return { answer };
      const version = crypto.randomUUID();
      remember(version, now);
      return { answer, state: { version, ...now } };
    },
    async watch({ sessionId, state: { folder } }: SentLine) {
      if (folder === undefined || isWatching) return;
      isWatching = true;
      const { surroundings } = open(sessionId);
      // It ends with the process.
      await watchFolder(folder, { surroundings, changed });
    },
  };
}

const stateWithoutVersion = ({ folder, saved }: SessionState) => ({ folder, saved });

/** Continues for another process. */
async function takeUp(connection: FolderConnection, { folder, saved }: SessionState): Promise<void> {
  if (folder === undefined) return;
  if (connection.folder() === undefined) connection.open(folder);
  if (saved !== undefined) await (await connection.session()).resume(saved, { vouched: true });
}

/** State another process needs. It leaves out the catalog: each process reads that itself. */
async function deputyState(connection: FolderConnection): Promise<Omit<SessionState, 'version'>> {
  const folder = connection.folder();
  if (folder === undefined) return {};
  const sessions = await connection.sessions();
  const session = sessions.get(folder.cwd);
  if (session === undefined) return { folder };
  const saved = await session.save().catch(() => undefined);
  return saved === undefined ? { folder } : { folder, saved: { ...saved, known: [] } };
}
