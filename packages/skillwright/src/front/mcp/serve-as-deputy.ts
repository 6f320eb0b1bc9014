// A child process that works for a server and can be killed at any time.

import { createQuizMemory, type SavableQuizMemory } from '../../skill/quiz/index.ts';
import type { CommandContext } from '../commands/index.ts';
import { claimStandardStreams, type Duties, serveDeputy } from '../streams/index.ts';
import type { Caller, PromptCall, WatchEvent } from './backend.ts';
import type { CompletionRequest } from './complete-reference.ts';
import { flatten, type SentCaller, type SentResult, type sourceMethods } from './deputy-backend.ts';
import { createLocalBackend } from './local-backend.ts';
import { openServerState } from './server-state.ts';
import type { ServedWatch } from './watch-served.ts';

interface Asked {
  readonly caller: SentCaller;
}

/** Works until the server exits. */
export async function serveAsDeputy(context: CommandContext): Promise<void> {
  await serveDeputy(claimStandardStreams(), {
    signal: context.signal,
    prepare: (tell) => prepareDuties(context, tell),
  });
}

async function prepareDuties(context: CommandContext, tell: (event: WatchEvent) => void): Promise<Duties> {
  const backend = createLocalBackend(await openServerState(context));
  let watched: ServedWatch | undefined;
  const answer = answerWith(keepMemories());
  return {
    callTool: (asked: Asked & { name: string; args: unknown; isHeard: boolean }, { signal, say }) =>
      answer(asked, (caller) => {
        const { name, args, isHeard } = asked;
        return backend.callTool(caller, { name, args, signal, hears: isHeard ? say : undefined });
      }),
    listPrompts: (asked: Asked) => answer(asked, (caller) => backend.listPrompts(caller)),
    getPrompt: (asked: Asked & { prompt: PromptCall }) =>
      answer(asked, (caller) => backend.getPrompt(caller, asked.prompt)),
    read: (asked: Asked & { uri: string }) =>
      answer(asked, async (caller) => {
        const { result, ...rest } = await backend.read(caller, asked.uri);
        return { ...rest, result: flatten(result) };
      }),
    complete: (asked: Asked & { request: CompletionRequest }) =>
      answer(asked, (caller) => backend.complete(caller, asked.request)),
    stamp: (asked: Asked & { uris: string[] }) =>
      answer(asked, (caller) => backend.stamp(caller, asked.uris)),
    source: (asked: Asked & { name: (typeof sourceMethods)[number]; args: unknown[] }) =>
      answer(asked, async (caller) => {
        const source = backend.skillSource(async () => caller);
        const method = source[asked.name] as (...args: unknown[]) => Promise<unknown>;
        return flatten(await method(...asked.args));
      }),
    async watch(cwd: string) {
      if (watched === undefined) watched = backend.watch(cwd, tell);
      else watched.follow(cwd);
      await watched.ready;
    },
  };
}

type ReadCaller = (sent: SentCaller) => Caller;

/** Most connections remembered; the oldest are forgotten, and the server sends their state again. */
const MAX_CONNECTIONS = 128;

/** One memory per connection, kept by its session and updated by the server. */
function keepMemories(): ReadCaller {
  const memories = new Map<string, SavableQuizMemory>();
  return ({ quizzes: sent, ...caller }) => {
    if (sent === undefined) return { ...caller, quizzes: undefined };
    const { connection } = caller;
    const memory = memories.get(connection) ?? createQuizMemory(sent.session);
    memories.delete(connection);
    memories.set(connection, memory);
    for (const oldest of [...memories.keys()].slice(0, -MAX_CONNECTIONS)) memories.delete(oldest);
    memory.restore(sent.known);
    return { ...caller, quizzes: memory };
  };
}

/** The result, with the quizzes the connection has passed if the work changed them. */
function answerWith(read: ReadCaller) {
  return async ({ caller: sent }: Asked, work: (caller: Caller) => Promise<unknown>): Promise<SentResult> => {
    const caller = read(sent);
    const value = (await work(caller)) ?? null;
    const known = caller.quizzes?.save() ?? [];
    return JSON.stringify(known) === JSON.stringify(sent.quizzes?.known ?? []) ? { value } : { value, known };
  };
}
