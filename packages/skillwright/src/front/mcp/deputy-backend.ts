// Does the work of a server in child processes, so that the server always responds.

import {
  type CallToolResult,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SavableQuizMemory } from '../../skill/quiz/index.ts';
import { DEPUTY_WORD, type Launch } from '../commands/index.ts';
import { type Deputies, openDeputies } from '../streams/index.ts';
import type { Backend, Caller, Said, Stamps, WatchEvent } from './backend.ts';
import { failedCall } from './call-tool.ts';
import type { Completion } from './complete-reference.ts';
import type { ServedTool } from './load-tools.ts';
import type { Answered } from './person-question.ts';

/** The processes, and their time limits. */
interface DeputyBackendOptions {
  readonly launch: Launch;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tools: ReadonlyMap<string, ServedTool>;
  /** Time limits for a request and for long work. */
  readonly limits: { readonly shortMs: number; readonly longMs: number };
}

/** A caller in its serialised form. */
export interface SentCaller extends Omit<Caller, 'quizzes'> {
  readonly quizzes?: SentQuizzes;
}

/** Quizzes a connection has passed. */
interface SentQuizzes {
  readonly session: string;
  readonly known: ReturnType<SavableQuizMemory['save']>;
}

/** A result, with the quizzes passed if they changed. */
export interface SentResult {
  readonly value: unknown;
  readonly known?: SentQuizzes['known'];
}

/** The methods of the skills extension. */
export const sourceMethods = ['list', 'get', 'read', 'readDirectory', 'listResources'] as const;

/** Wait this long for a busy process before starting another: most calls take a few milliseconds. */
const PATIENCE_MS = 150;

/** Starts the processes. */
export function createDeputyBackend(options: DeputyBackendOptions): Backend {
  const { launch, cwd, env, tools, limits } = options;
  let watched: { cwd: string; tell: (event: WatchEvent) => void } | undefined;
  const deputies: Deputies = openDeputies({
    start: { command: launch.command, args: [...launch.args, DEPUTY_WORD, 'mcp'], cwd, env },
    patienceMs: PATIENCE_MS,
    numbered: (number, message) => new ProtocolError(number, message),
    onEvent: (event) => watched?.tell(event as WatchEvent),
    onReplaced() {
      if (watched === undefined) return;
      // The watch was down for a while.
      const { tell } = watched;
      void startWatch(watched.cwd).then(() => {
        tell('changed');
        tell('touched');
      });
    },
  });
  const startWatch = (place: string): Promise<void> =>
    deputies
      .ask({ method: 'watch', params: place, what: 'watch', limitMs: limits.longMs, byFirst: true })
      .then(
        () => {},
        // Serve even without a watch.
        () => {},
      );

  const ask = async (
    caller: Caller,
    request: {
      method: string;
      params: object;
      what: string;
      isLong?: boolean;
      key?: string | undefined;
      signal?: AbortSignal | undefined;
      hears?: ((said: unknown) => void) | undefined;
    },
  ): Promise<unknown> => {
    const { isLong = false, params } = request;
    const sent = { ...params, caller: send(caller) };
    const limitMs = isLong ? limits.longMs : limits.shortMs;
    const { value, known } = (await deputies.ask({ ...request, params: sent, limitMs })) as SentResult;
    if (known !== undefined) caller.quizzes?.restore(known);
    return value;
  };
  const inOrder = orderByConnection();
  return {
    callTool(caller, { name, args, signal, hears }) {
      const tool = tools.get(name)!;
      // Only loading depends on earlier calls; other calls work the same in every process.
      const key = tool.commandName === 'load' ? caller.connection : undefined;
      const params = { name, args, isHeard: hears !== undefined };
      const request = { method: 'callTool', params, what: name, signal, key };
      const call = () =>
        ask(caller, {
          ...request,
          isLong: tool.row.isLong ?? false,
          hears: hears && ((said) => hears(said as Said)),
        }).catch((error: unknown) => ({ result: failedCall(error, { tools }) })) as Promise<
          Answered<CallToolResult>
        >;
      // Process the answers of one connection in order.
      return tool.commandName === 'quiz' ? inOrder(caller.connection, call) : call();
    },
    listPrompts: (caller) =>
      orProtocol(ask(caller, { method: 'listPrompts', params: {}, what: 'prompts/list' })) as Promise<
        Prompt[]
      >,
    getPrompt: (caller, prompt, signal) =>
      orProtocol(
        ask(caller, { method: 'getPrompt', params: { prompt }, what: 'prompts/get', signal }),
      ) as Promise<Answered<GetPromptResult>>,
    async read(caller, uri, signal) {
      const request = { method: 'read', params: { uri }, what: 'resources/read', signal };
      const { result, ...rest } = (await orProtocol(ask(caller, request))) as Answered<unknown>;
      return { ...rest, ...(result === undefined ? {} : { result: revive(result) as SkillReadResult }) };
    },
    complete: (caller, request) =>
      orProtocol(
        ask(caller, { method: 'complete', params: { request }, what: 'completion/complete' }),
      ) as Promise<Completion>,
    stamp: (caller, uris) =>
      orProtocol(
        ask(caller, { method: 'stamp', params: { uris }, what: 'subscriptions' }),
      ) as Promise<Stamps>,
    skillSource(caller) {
      const methods = sourceMethods.map((name) => [
        name,
        async (...args: unknown[]) => {
          // Some methods receive the SDK's request context as second argument; the cursor is all they need of it.
          const params = { name, args: args.map(plainArgument) };
          const found = await orProtocol(
            ask(await caller(), { method: 'source', params, what: `skills ${name}` }),
          );
          return revive(found);
        },
      ]);
      return Object.fromEntries(methods) as SkillSource;
    },
    watch(place, tell) {
      watched = { cwd: place, tell };
      return {
        ready: Promise.race([startWatch(place), waitAtMost(WATCH_MS)]),
        follow(other) {
          if (other === watched?.cwd) return;
          watched = { cwd: other, tell };
          void startWatch(other);
        },
        close() {
          watched = undefined;
        },
      };
    },
    close: () => deputies.close(),
  };
}

/** If reading the skills takes longer than this, the server starts without them. */
const WATCH_MS = 5000;

const waitAtMost = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref());

function send({ quizzes, ...caller }: Caller): SentCaller {
  if (quizzes === undefined) return caller;
  return { ...caller, quizzes: { session: quizzes.session(), known: quizzes.save() } };
}

/** Bytes become text in a pipe. */
export function flatten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('bytes' in value)) return value;
  return { ...value, bytes: Buffer.from(value.bytes as Uint8Array).toString('base64') };
}

function revive(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || !('bytes' in value)) return value;
  return { ...value, bytes: new Uint8Array(Buffer.from(value.bytes as string, 'base64')) };
}

function plainArgument(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'cursor' in value ? { cursor: value.cursor } : {};
}

/** Turns work that was given up into a protocol error. */
async function orProtocol<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.code}: ${error.message}`);
  }
}

/** Runs the work of one connection in order. */
function orderByConnection(): <Result>(connection: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (connection, work) => {
    const before = last.get(connection) ?? Promise.resolve();
    const next = before.then(work, work);
    last.set(connection, next);
    void next.finally(() => {
      if (last.get(connection) === next) last.delete(connection);
    });
    return next;
  };
}
