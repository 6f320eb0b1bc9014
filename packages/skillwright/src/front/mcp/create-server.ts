// The server of one connection: tools, prompts and the skills extension for one workspace.

import {
  type GetPromptResult,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type SkillSource, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { toolVersion } from '../../base/version.ts';
import { newRunId } from '../../read/usage/index.ts';
import { createQuizMemory } from '../../skill/quiz/index.ts';
import { type AskedStates, createPerson } from './ask-person.ts';
import { type Backend, type Caller, sourceMethods } from './backend.ts';
import { startProgress } from './call-progress.ts';
import { failedCall } from './call-tool.ts';
import type { ServedTool } from './load-tools.ts';
import type { PersonAnswer } from './person-question.ts';
import { refuseSkill } from './skill-source.ts';
import { createSubscriptions } from './subscriptions.ts';

const machineInstructions =
  'Read the skills on this machine section by section. Find a skill with skc_find or skc_list, find a section with skc_search or skc_outline, then read it with skc_show.';

/** Heartbeat interval of a long call. */
const BEAT_MS = 2000;

/** Options of one connection. */
export interface ConnectionOptions {
  /** Working directory of a call: the client's, otherwise the workspace's. */
  readonly cwd: () => Promise<string>;
  /** Whether the client is notified when lists and files change. */
  readonly tellsChanges: boolean;
  /** For stateless requests: quizzes passed on the command line count, and nothing is remembered. */
  readonly standsAlone?: boolean;
}

/** State shared by the servers of all connections. */
export interface Serving {
  /** The server as clients show it; skc on this machine by default. */
  readonly identity?: ServerIdentity;
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly backend: Backend;
  readonly states: AskedStates;
  readonly beatMs?: number;
  note(text: string): void;
}

/** How a server introduces itself. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
}

const machine: ServerIdentity = {
  name: 'skc',
  title: 'Skillwright',
  version: toolVersion,
  instructions: machineInstructions,
};

/** The server of a connection, and the events it must receive. */
export interface ConnectionServer {
  readonly mcp: McpServer;
  /** The skills changed, and everything derived from them. */
  tellChanges(): void;
  /** Files changed on disk: notifies the client about those it subscribed to. */
  tellUpdates(): void;
  /** Subscribes a client whose subscription requests do not arrive here; files it may not read are skipped. */
  follow(uris: readonly string[]): Promise<unknown>;
}

/** Creates a server that is not connected yet. */
export function createServer(serving: Serving, options: ConnectionOptions): ConnectionServer {
  const { tools, backend, states, note, beatMs = BEAT_MS, identity = machine } = serving;
  const { instructions, ...info } = identity;
  const { cwd, tellsChanges, standsAlone = false } = options;
  const mcp = new McpServer(info, {
    instructions,
    capabilities: { resources: { listChanged: tellsChanges, subscribe: tellsChanges } },
    requestState: { verify: states.codec.verify },
  });
  const { server } = mcp;
  const connection = crypto.randomUUID();
  // A server that is made for one request has no run.
  const run = standsAlone ? undefined : newRunId(new Date());
  const quizzes = standsAlone ? undefined : createQuizMemory();
  const caller = async (answers?: readonly PersonAnswer[], context?: ServerContext): Promise<Caller> => ({
    connection,
    cwd: await cwd(),
    client: server.getClientVersion()?.name,
    run,
    quizzes,
    person: answers,
    signal: context?.mcpReq.signal,
  });
  const onError = (error: unknown) => note(`mcp: ${error instanceof Error ? error.message : String(error)}`);
  let lastQuiz: Promise<unknown> = Promise.resolve();
  const person = createPerson(mcp, { states, lasts: !standsAlone });
  const log = createCallLog(onError);
  const subscriptions = createSubscriptions({
    backend,
    caller,
    tell: (uri) => void server.sendResourceUpdated({ uri }).catch(onError),
  });

  // Not registered with the SDK one by one: an HTTP server creates a server per request.
  server.registerCapabilities({
    tools: { listChanged: tellsChanges },
    prompts: { listChanged: tellsChanges },
    completions: {},
    logging: {},
  });
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    log.setLevel(params.level);
    return {};
  });
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args } = params;
    const tool = tools.get(name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
    return person.ask({
      context,
      about: [name, args],
      work(answers) {
        const work = () => callTool(tool, { args, answers, context });
        if (tool.commandName !== 'quiz') return work();
        // Answers to quizzes count in order.
        const next = lastQuiz.then(work);
        lastQuiz = next.catch(() => {});
        return next;
      },
      refuse: (error) => failedCall(error, { tools }),
    });
  });
  const callTool = async (
    { definition: { name }, row: { isLong = false } }: ServedTool,
    { args, answers, context }: CallDetails,
  ) => {
    const write = log.during(context);
    const progress = startProgress(context, { what: name, beatMs: isLong ? beatMs : undefined, onError });
    const isHeard = write !== undefined || progress !== undefined;
    const started = performance.now();
    const answered = await backend
      .callTool(await caller(answers, context), {
        name,
        args,
        hears: isHeard
          ? (said) => (said.kind === 'progress' ? progress?.say(said.text) : write?.(said.level, said.text))
          : undefined,
      })
      .finally(() => progress?.stop());
    const { error } = (answered.result?.structuredContent ?? {}) as { error?: LoggedError };
    if (error !== undefined) write?.('error', `${name}: ${error.code}: ${error.message}`);
    write?.('debug', `${name}: ${Math.round(performance.now() - started)} ms`);
    return answered;
  };
  server.setRequestHandler('prompts/list', async () => ({
    prompts: await backend.listPrompts(await caller()),
  }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = { name: params.name, values: params.arguments ?? {} };
    return person.ask<GetPromptResult>({
      context,
      about: prompt,
      work: async (answers) => backend.getPrompt(await caller(answers, context), prompt),
      refuse: refuseSkill,
    });
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => ({
    completion: { ...(await backend.complete(await caller(), { ref, argument })) },
  }));
  // Some methods receive the context of the request last; a cursor is all they need of it.
  const source = sourceMethods.map((name) => [
    name,
    async (...args: readonly unknown[]) => backend.source(await caller(), name, args.map(plainArgument)),
  ]);
  new SkillsExtension({
    source: Object.fromEntries(source) as SkillSource,
    onWarning: ({ path, message }) => note(`mcp: ${path}: ${message}`),
  }).attach(mcp);
  // Reading may need the person, so it bypasses the extension.
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) =>
    person.ask<ReadResourceResult>({
      context,
      about: uri,
      async work(answers) {
        const read = await backend.read(await caller(answers, context), uri);
        if (read.refusal !== undefined) return { refusal: read.refusal, question: read.question! };
        if (read.result === undefined) throw new ResourceNotFoundError(uri);
        return { result: { contents: [{ uri, ...read.result }] } };
      },
      refuse: refuseSkill,
    }),
  );
  if (tellsChanges) {
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      await subscriptions.add(uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscriptions.remove(uri);
      return {};
    });
  }
  return {
    mcp,
    tellChanges() {
      server.sendToolListChanged().catch(onError);
      server.sendResourceListChanged().catch(onError);
      server.sendPromptListChanged().catch(onError);
    },
    tellUpdates: () => void subscriptions.look().catch(onError),
    follow: (uris) => Promise.allSettled(uris.map((uri) => subscriptions.add(uri))),
  };
}

/** A tool call as the client sent it. */
interface CallDetails {
  readonly args: unknown;
  readonly answers: readonly PersonAnswer[] | undefined;
  readonly context: ServerContext;
}

interface LoggedError {
  readonly code: string;
  readonly message: string;
}

function plainArgument(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'cursor' in value ? { cursor: value.cursor } : {};
}

// Log messages for a client, from the level it requested. A client that set no level gets none.

/** Least important first. */
const levels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The log of one connection. */
interface CallLog {
  /** Sends messages of this level and above from now on. */
  setLevel(level: LoggingLevel): void;
  /** Logs during one request; undefined when the client wants no messages. */
  during(context: ServerContext): ((level: LoggingLevel, text: string) => void) | undefined;
}

/** A log without a level. Clients of the newer revision send theirs with each request. */
function createCallLog(onError: (error: unknown) => void): CallLog {
  let wanted: LoggingLevel | undefined;
  return {
    setLevel(level) {
      wanted = level;
    },
    during({ mcpReq }) {
      const named = mcpReq.envelope as { readonly [LOG_LEVEL_META_KEY]?: LoggingLevel } | undefined;
      const least = named?.[LOG_LEVEL_META_KEY] ?? wanted;
      if (least === undefined) return undefined;
      return (level, text) => {
        if (levels.indexOf(level) < levels.indexOf(least)) return;
        const params = { level, logger: 'skc', data: text };
        mcpReq.notify({ method: 'notifications/message', params }).catch(onError);
      };
    },
  };
}
