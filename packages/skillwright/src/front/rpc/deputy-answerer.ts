// Lines that are answered in another process. What the session knows is kept here, so that another process can go on when
// one is stuck or was given up.

import { isMapping } from '../../skill/format/index.ts';
import { type CommandContext, DEPUTY_WORD, type OpenedFolder, rpcMethods } from '../commands/index.ts';
import { openDeputies, requestLimits } from '../streams/index.ts';
import { failLine, readLine } from './answer-message.ts';
import type { Answerer } from './rpc.ts';
import { changedLine } from './watch-folder.ts';

/** Lines are answered one after the other by the same process, unless one takes longer than this. */
const PATIENCE_MS = 1000;

/** What a process must know to go on where another one was. */
export interface SessionState {
  /** Another one after every change; a process that has this one knows the rest. */
  readonly version: string;
  readonly folder?: OpenedFolder | undefined;
  /** What `session.resume` takes. */
  readonly saved?: unknown;
}

/** One line, and what came before it. */
export interface SentLine {
  readonly text: string;
  readonly sessionId: string;
  readonly state: SessionState;
}

/** What is sent back, and the state when it has changed. */
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
      // Nobody watched for a while.
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
    // What cannot be watched is still served.
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

/** A client whose skills take longer to be looked at is answered before they are watched. */
const WATCH_MS = 5000;

const waitForWatch = () => new Promise<void>((resolve) => void setTimeout(resolve, WATCH_MS).unref());

/** Whether a line asks for something that waits for programs of skills. */
function isLong(text: string): boolean {
  const message: unknown = JSON.parse(text);
  return [message].flat().some((request) => {
    const method = isMapping(request) ? request.method : undefined;
    return typeof method === 'string' && Object.hasOwn(rpcMethods, method)
      ? rpcMethods[method as keyof typeof rpcMethods].isLong === true
      : false;
  });
}
