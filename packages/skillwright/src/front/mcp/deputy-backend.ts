// Does the work of a server in child processes, so that the server always responds.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { createQuizMemory, type SavableQuizMemory } from '../../skill/quiz/index.ts';
import { type CommandContext, type Launch, launchDeputy } from '../commands/index.ts';
import { openDeputies, serveDeputy, type Work } from '../streams/index.ts';
import type { Backend, Caller, ToolCall, WatchEvent } from './backend.ts';
import { failedCall } from './call-tool.ts';
import type { ServedTool } from './load-tools.ts';
import type { ServedWatch } from './watch-served.ts';

/** Requests that a deputy answers like the server itself, and their names in messages. */
const requests = {
  listPrompts: 'prompts/list',
  getPrompt: 'prompts/get',
  read: 'resources/read',
  complete: 'completion/complete',
  stamp: 'subscriptions',
  source: 'skills',
} as const;

type Request = keyof typeof requests;

type SavedQuizzes = ReturnType<SavableQuizMemory['save']>;

/** A call of a method of the backend, with the caller in serialised form. */
interface SentCall {
  readonly method: Request | 'callTool';
  readonly caller: Omit<Caller, 'quizzes' | 'signal'>;
  readonly quizzes: { readonly session: string; readonly known: SavedQuizzes } | undefined;
  readonly args: readonly unknown[];
  readonly isHeard: boolean;
}

/** A result, with the quizzes passed if they changed. */
interface SentResult {
  readonly value?: unknown;
  readonly known?: SavedQuizzes;
}

/** Wait this long for a busy process before starting another: most calls take a few milliseconds. */
const PATIENCE_MS = 150;

/** Starts the processes. */
export async function createDeputyBackend(
  launch: Launch,
  workspace: CommandContext['workspace'],
  tools: ReadonlyMap<string, ServedTool>,
): Promise<Backend> {
  const deputies = await openDeputies(launchDeputy(launch, 'mcp'), workspace, PATIENCE_MS);
  type Assigned = Pick<Parameters<typeof deputies.ask>[0], 'what' | 'long' | 'key' | 'hears'>;
  const ask = async (
    { quizzes, signal, ...caller }: Caller,
    call: Pick<SentCall, 'method' | 'args'>,
    how: Assigned,
  ): Promise<unknown> => {
    const params = (): SentCall => ({
      ...call,
      caller,
      quizzes: quizzes && { session: quizzes.session(), known: quizzes.save() },
      isHeard: how.hears !== undefined,
    });
    const { value, known } = (await deputies.ask({ method: 'call', params, signal, ...how })) as SentResult;
    if (known !== undefined) quizzes?.restore(known);
    return value;
  };
  const forwarded = Object.entries(requests).map(([name, what]) => [
    name,
    (caller: Caller, ...args: readonly unknown[]) =>
      ask(caller, { method: name as Request, args }, { what }).catch(asProtocol),
  ]);
  return {
    ...(Object.fromEntries(forwarded) as Pick<Backend, Request>),
    async callTool(caller, { hears, ...given }) {
      const { commandName, row } = tools.get(given.name)!;
      const how = {
        what: given.name,
        long: row.isLong ? ('busy' as const) : undefined,
        // Only loading depends on earlier calls; other calls work the same in every process.
        key: commandName === 'load' ? caller.connection : undefined,
        hears: hears as Assigned['hears'],
      };
      try {
        const sent = { method: 'callTool', args: [given] } as const;
        return (await ask(caller, sent, how)) as Awaited<ReturnType<Backend['callTool']>>;
      } catch (error) {
        return { result: failedCall(error, { tools }) };
      }
    },
    watch(cwd, tell) {
      let place = cwd;
      const follow = (to: string) => {
        place = to;
        return deputies.watch({ params: () => place, tell: (event) => tell(event as WatchEvent) });
      };
      return {
        ready: follow(cwd),
        follow: (to) => void (to !== place && follow(to)),
        close() {
          deputies.watched = undefined;
        },
      };
    },
    close: () => deputies.close(),
  };
}

/** Turns work that was given up into a protocol error. */
function asProtocol(error: unknown): never {
  if (!(error instanceof SkillwrightError)) throw error;
  throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.code}: ${error.message}`);
}

/** Works in a child process until the server exits. */
export async function serveAsDeputy(context: CommandContext): Promise<void> {
  await serveDeputy(context.signal, async (tell) => {
    const [{ createLocalBackend }, { openServerState }] = await Promise.all([
      import('./local-backend.ts'),
      import('./server-state.ts'),
    ]);
    const backend = createLocalBackend(await openServerState(context));
    const memoryOf = keepMemories();
    let watched: ServedWatch | undefined;
    return {
      async call({ method, caller: sent, quizzes: passed, args, isHeard }: SentCall, work: Work) {
        const quizzes = passed && memoryOf(sent.connection, passed);
        const caller: Caller = { ...sent, quizzes, signal: work.signal };
        const value =
          method === 'callTool'
            ? await backend.callTool(caller, {
                ...(args[0] as ToolCall),
                hears: isHeard ? work.say : undefined,
              })
            : await (backend[method] as (...given: readonly unknown[]) => Promise<unknown>)(caller, ...args);
        const known = quizzes?.save() ?? [];
        const isSame = JSON.stringify(known) === JSON.stringify(passed?.known ?? []);
        return (isSame ? { value } : { value, known }) satisfies SentResult;
      },
      async watch(cwd: string) {
        if (watched === undefined) watched = backend.watch(cwd, tell);
        else watched.follow(cwd);
        await watched.ready;
      },
    };
  });
}

/** Most connections remembered; the oldest are forgotten, and the server sends their state again. */
const MAX_CONNECTIONS = 128;

/** One memory per connection, kept by its session and updated by the server. */
function keepMemories() {
  const memories = new Map<string, SavableQuizMemory>();
  return (connection: string, { session, known }: NonNullable<SentCall['quizzes']>): SavableQuizMemory => {
    const memory = memories.get(connection) ?? createQuizMemory(session);
    memories.delete(connection);
    memories.set(connection, memory);
    for (const oldest of [...memories.keys()].slice(0, -MAX_CONNECTIONS)) memories.delete(oldest);
    memory.restore(known);
    return memory;
  };
}
