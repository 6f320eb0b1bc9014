// Lines that are answered in another process. What the session knows is kept here, so that another process can go on when
// one is stuck or was given up.

import { type CommandContext, DEPUTY_WORD, type OpenedFolder } from '../commands/index.ts';
import { openDeputies } from '../streams/index.ts';
import { failLine, readLine } from './answer-message.ts';
import type { Answerer } from './rpc.ts';

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
export async function createDeputyAnswerer(context: CommandContext): Promise<Answerer> {
  const { launch, workspace } = context;
  const { cwd, env } = workspace;
  const { defaultConfig } = await import('../../skill/config/default-config.ts');
  const { server } = await workspace.config().catch(() => defaultConfig);
  const { command, args } = launch!;
  const deputies = openDeputies({
    start: { command, args: [...args, DEPUTY_WORD, 'rpc'], cwd, env },
    patienceMs: PATIENCE_MS,
  });
  const sessionId = crypto.randomUUID();
  let state: SessionState = { version: '' };
  return {
    async answer(line) {
      const read = readLine(line);
      if (read === undefined || 'refusal' in read) return read?.refusal;
      const { text } = read;
      try {
        const sent = () => ({ text, sessionId, state }) satisfies SentLine;
        const answered = (await deputies.ask({
          method: 'answer',
          params: sent,
          what: 'request',
          key: 'session',
          limitMs: server.timeout * 1000,
        })) as AnsweredLine;
        state = answered.state ?? state;
        return answered.answer ?? undefined;
      } catch (error) {
        return failLine(text, error);
      }
    },
    close: () => deputies.close(),
  };
}
