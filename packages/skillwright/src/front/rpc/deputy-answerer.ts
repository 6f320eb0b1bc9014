// Answers lines in a child process. Keeps the state of the session here, so that another process can continue when one is
// stuck or was killed.

import { isMapping } from '../../skill/format/index.ts';
import { type CommandContext, DEPUTY_WORD, type OpenedFolder, rpcMethods } from '../commands/index.ts';
import { openDeputies, requestLimits } from '../streams/index.ts';
import { failLine, readLine } from './answer-message.ts';
import type { Answerer } from './rpc.ts';
import { changedLine } from './watch-folder.ts';

/** One process answers lines in order, unless one takes longer than this. */
const PATIENCE_MS = 1000;

/** State a process needs to continue for another. */
export interface SessionState {
  /** New after every change; a process that has this version needs nothing else. */
  readonly version: string;
  readonly folder?: OpenedFolder | undefined;
  /** Input of `session.resume`. */
  readonly saved?: unknown;
}

/** One line, with the state before it. */
export interface SentLine {
  readonly text: string;
  readonly sessionId: string;
  readonly state: SessionState;
}

/** The answer, with the state if it changed. */
export interface AnsweredLine {
  readonly answer: string | null;
  readonly state?: SessionState;
}

/** Starts the process. */
export async function createDeputyAnswerer(
  context: CommandContext,
  send: (line: string) => void,
): Promise<Answerer> {
  const { launch, workspace } = context;
  const { cwd, env } = workspace;
  const { shortMs, longMs } = await requestLimits(workspace);
  const { command, args } = launch!;
  const deputies = openDeputies({
    start: { command, args: [...args, DEPUTY_WORD, 'rpc'], cwd, env },
    patienceMs: PATIENCE_MS,
    onEvent: () => notify(),
    onReplaced() {
      if (!isWatching) return;
      // The watch was down for a while.
      void startWatch().then(notify);
    },
  });
  const sessionId = crypto.randomUUID();
  let state: SessionState = { version: '' };
  let isWatching = false;
  const notify = () => {
    if (isWatching && state.folder !== undefined) send(changedLine(state.folder));
  };
  const startWatch = async (): Promise<void> => {
    isWatching = true;
    const params = { text: '', sessionId, state } satisfies SentLine;
    const watching = deputies.ask({ method: 'watch', params, what: 'watch', limitMs: longMs, byFirst: true });
    // Serve even without a watch.
    await watching.catch(() => {});
  };
  return {
    async answer(line) {
      const read = readLine(line);
      if (read === undefined || 'refusal' in read) return read?.refusal;
      const { text } = read;
      try {
        const sent = () => ({ text, sessionId, state }) satisfies SentLine;
        const isAside = isLong(text);
        const answered = (await deputies.ask({
          method: 'answer',
          params: sent,
          what: 'request',
          key: 'session',
          isAside,
          limitMs: isAside ? longMs : shortMs,
        })) as AnsweredLine;
        state = answered.state ?? state;
        if (state.folder?.watch === true && !isWatching) await Promise.race([startWatch(), waitForWatch()]);
        return answered.answer ?? undefined;
      } catch (error) {
        return failLine(text, error);
      }
    },
    close: () => deputies.close(),
  };
}

/** If reading the skills takes longer than this, the client is answered before the watch starts. */
const WATCH_MS = 5000;

const waitForWatch = () => new Promise<void>((resolve) => void setTimeout(resolve, WATCH_MS).unref());

/** Whether a line makes a request that waits for programs of skills. */
function isLong(text: string): boolean {
  const message: unknown = JSON.parse(text);
  return [message].flat().some((request) => {
    const method = isMapping(request) ? request.method : undefined;
    return typeof method === 'string' && Object.hasOwn(rpcMethods, method)
      ? rpcMethods[method as keyof typeof rpcMethods].isLong === true
      : false;
  });
}
