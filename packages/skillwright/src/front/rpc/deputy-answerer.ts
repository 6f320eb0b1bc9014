// Answers lines in a child process. Keeps the state of the session here, so that another process can continue when one is
// stuck or was killed.

import { isMapping } from '../../skill/format/index.ts';
import {
  type CommandContext,
  launchDeputy,
  type OpenedFolder,
  type RpcMethodName,
} from '../commands/index.ts';
import { openDeputies, serveDeputy, type Work } from '../streams/index.ts';
import { answerText, failLine, readLine } from './answer-message.ts';
import { type FolderConnection, openConnection } from './create-connection.ts';
import { changedLine, watchFolder } from './watch-folder.ts';

/** Answers lines. */
export interface Answerer {
  answer(line: Uint8Array): Promise<string | undefined>;
  close(): Promise<void>;
}

/** One process answers lines in order, unless one takes longer than this. */
const PATIENCE_MS = 1000;

/** State a process needs to continue for another. */
interface SessionState {
  readonly folder?: OpenedFolder | undefined;
  /** Input of `session.resume`. */
  readonly saved?: unknown;
}

/** One line, with the state before it for a process that does not have it. */
interface SentLine {
  readonly text: string;
  readonly sessionId: string;
  readonly state?: SessionState | undefined;
}

/** The answer, with the state if it changed. */
interface AnsweredLine {
  readonly answer: string | null;
  readonly state?: SessionState;
}

/** Starts the process. */
export async function createDeputyAnswerer(
  { launch, workspace }: CommandContext,
  send: (line: string) => void,
): Promise<Answerer> {
  const deputies = await openDeputies(launchDeputy(launch!, 'rpc'), workspace, PATIENCE_MS);
  const sessionId = crypto.randomUUID();
  let state: SessionState = {};
  return {
    async answer(line) {
      const read = readLine(line);
      if (read === undefined || 'refusal' in read) return read?.refusal;
      const { text } = read;
      try {
        const answered = (await deputies.ask({
          method: 'answer',
          params: (isNew): SentLine => ({ text, sessionId, ...(isNew ? { state } : {}) }),
          what: 'request',
          key: 'session',
          long: isLong(text) ? 'waiting' : undefined,
        })) as AnsweredLine;
        state = answered.state ?? state;
        if (state.folder?.watch === true && deputies.watched === undefined)
          await deputies.watch({
            params: () => state.folder,
            tell: (event) => void (event === 'changed' && send(changedLine(state.folder!))),
          });
        return answered.answer ?? undefined;
      } catch (error) {
        return failLine(text, error);
      }
    },
    close: () => deputies.close(),
  };
}

/** Methods that wait for programs of skills. Named here, because the server loads no method. */
const longMethods: readonly unknown[] = [
  'scripts.run',
  'tools.activate',
  'tools.call',
  'hooks.dispatch',
  'session.resume',
] satisfies RpcMethodName[];

/** Whether a line makes such a request. */
function isLong(text: string): boolean {
  const message: unknown = JSON.parse(text);
  return [message].flat().some((request) => isMapping(request) && longMethods.includes(request.method));
}

/** Works in a child process until the server exits. */
export async function serveRpcDeputy(context: CommandContext): Promise<void> {
  let connection: FolderConnection | undefined;
  /** The latest state the server has, as text. */
  let known = '{}';
  /** A state to continue from; lines wait until that has succeeded. */
  let due: SessionState | undefined;
  let takingUp: Promise<void> | undefined;
  let isWatching = false;
  await serveDeputy(context.signal, async (tell) => ({
    async answer({ text, sessionId, state }: SentLine, { signal }: Work): Promise<AnsweredLine> {
      connection ??= openConnection(context, { sessionId });
      const own = connection;
      if (state !== undefined) {
        // Keep what this process knows in addition, and return it with the answer.
        known = JSON.stringify(state);
        due = state;
      }
      if (due !== undefined) {
        const continued = due;
        takingUp ??= takeUp(own, continued).finally(() => {
          takingUp = undefined;
        });
        await takingUp;
        if (due === continued) due = undefined;
      }
      const answer = (await answerText(text, own, signal)) ?? null;
      const now = await stateToPassOn(own);
      const isSame = JSON.stringify(now) === known;
      known = JSON.stringify(now);
      return isSame ? { answer } : { answer, state: now };
    },
    async watch(folder: OpenedFolder) {
      if (isWatching) return;
      isWatching = true;
      // It ends with the process.
      const { home, env } = context.workspace;
      await watchFolder(folder, {
        surroundings: { cwd: folder.cwd, home, env },
        changed: () => tell('changed'),
      });
    },
  }));
  await connection?.close();
}

/** Continues for another process. */
async function takeUp(connection: FolderConnection, { folder, saved }: SessionState): Promise<void> {
  if (folder === undefined) return;
  if (connection.folder() === undefined) connection.open(folder);
  if (saved !== undefined) await (await connection.session()).resume(saved, { vouched: true });
}

/** State another process needs. It leaves out the catalog: each process reads that itself. */
async function stateToPassOn(connection: FolderConnection): Promise<SessionState> {
  const folder = connection.folder();
  if (folder === undefined) return {};
  const session = (await connection.sessions()).get(folder.cwd);
  const saved = await session?.save().catch(() => undefined);
  return saved === undefined ? { folder } : { folder, saved: { ...saved, known: [] } };
}
