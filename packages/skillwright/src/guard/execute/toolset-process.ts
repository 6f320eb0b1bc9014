// Runs one toolset in one process: start, calls, end.

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { formatCount, makeVisible, orUndefined, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Environment } from '../../base/files/index.ts';
import { isShallow, shorten } from '../../skill/format/index.ts';
import { type Interpreter, ownRuntime } from './find-interpreter.ts';
import type { Limits } from './limits.ts';
import { type ProcessEnd, type Sandbox, stopProblems } from './sandbox.ts';
import type { SkillAccess } from './skill-access.ts';
import { type ToolsetModule, toolsetError } from './toolset-module.ts';
import { toolsetRunner } from './toolset-runner.ts';

/** Options for running a toolset. */
export interface ToolsetRun {
  readonly sandbox: Sandbox;
  readonly access: SkillAccess;
  readonly limits: Limits;
  readonly env: Environment;
  /** Time limit to become ready. */
  readonly startSeconds: number;
  /** Called once, when the process is gone. */
  readonly afterwards: () => void;
}

/** One call. */
export interface ToolCall {
  /** Name in the toolset. */
  readonly tool: string;
  /** Name for the model, used in messages. */
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** A ready toolset. */
export interface ToolsetProcess {
  readonly tools: readonly DeclaredTool[];
  isAlive(): boolean;
  /** The result; E071, E072 or E073 on failure. A call that takes too long ends the process. */
  call(call: ToolCall): Promise<unknown>;
  /** Ends it; pending calls fail. Settles when the process is gone. */
  stop(): Promise<void>;
}

/** Overhead of a message around a result. */
const ENVELOPE_BYTES = 4096;

/** Time a cancelled tool has to stop before its process is killed. */
const CANCEL_GRACE_MS = 1000;

interface Waiting {
  readonly name: string;
  settle(answer: Exclude<ToolsetMessage, { ready: unknown } | { failed: string }> | SkillwrightError): void;
}

/** Starts a toolset and waits for its list of tools. E080 when it sends none, E074 when it cannot start. */
export async function startToolset(module: ToolsetModule, run: ToolsetRun): Promise<ToolsetProcess> {
  const { sandbox, access, limits, env, startSeconds, afterwards } = run;
  const runtime = ownRuntime(env);
  const child = sandbox.start({
    ...access,
    argv: [...runtime.argv, ...runnerWords(runtime.name)],
    env: { ...access.env, ...runtime.env },
    readable: [...runtime.readable, ...access.readable],
    limits,
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let end: ProcessEnd | undefined;
  let ready: ((tools: readonly DeclaredTool[]) => void) | undefined;
  let failure: string | undefined;
  let errorBytes = 0;
  /** True when a call took too long and the process is ending. */
  let isEnding = false;

  const mark = crypto.randomUUID();
  const take = (message: ToolsetMessage): boolean => {
    if ('ready' in message || 'failed' in message) {
      if (ready === undefined) return false;
      if ('ready' in message) ready(message.ready.tools);
      else failure = message.failed;
      ready = undefined;
      return true;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    errorBytes = 0;
    call?.settle(message);
    return call !== undefined;
  };
  const maxBytes = limits.outputBytes + ENVELOPE_BYTES;
  readMessages(child.stdout, { mark, maxBytes, take, overflow: () => child.kill('output') });
  child.errors.on('data', (chunk: Buffer) => {
    errorBytes += chunk.length;
    if (errorBytes > limits.outputBytes) child.kill('output');
  });

  const { path, exported } = module;
  const file = join(access.cwd, path);
  const order = { mark, module: pathToFileURL(file).href, export: exported, skillDir: access.cwd };
  child.input.write(`${JSON.stringify({ ...order, maxBytes: limits.outputBytes })}\n`);

  const failAll = (how: ProcessEnd) => {
    for (const { name, settle } of waiting.values())
      settle(endedError(name, { ...how, stderr: child.stderr() }));
    waiting.clear();
  };
  const exited = child.exited.then((how) => {
    end = how;
    afterwards();
    failAll(how);
    return undefined;
  });
  const timer = setTimeout(() => child.kill('time'), startSeconds * 1000);
  const tools = await Promise.race([
    new Promise<readonly DeclaredTool[]>((resolve) => {
      ready = resolve;
    }),
    exited,
  ]);
  clearTimeout(timer);
  if (tools === undefined) {
    if (end?.failure !== undefined) throw end.failure;
    if (failure !== undefined) throw toolsetError(module.reference, makeVisible(failure));
    throw startError(module, { startSeconds, end: end!, stderr: child.stderr() });
  }

  return {
    tools,
    isAlive: () => end === undefined && !isEnding,
    async stop() {
      child.kill('asked');
      await exited;
    },
    call({ tool, name, input, seconds, signal }) {
      return new Promise((resolve, reject) => {
        if (end !== undefined) return reject(endedError(name, { ...end, stderr: child.stderr() }));
        if (signal?.aborted) return reject(signal.reason);
        lastId += 1;
        const id = lastId;
        const stop = () => {
          waiting.get(id)?.settle(SkillwrightError.of('E071', { script: name }));
          waiting.delete(id);
          isEnding = true;
          failAll({ exitCode: 137, stopped: 'time', failure: undefined });
          child.kill('time');
        };
        let timer = setTimeout(stop, seconds * 1000);
        const giveUp = () => {
          // Signal the tool, and kill its process if it does not stop.
          child.input.write(`${JSON.stringify({ cancel: id })}\n`);
          clearTimeout(timer);
          timer = setTimeout(stop, Math.min(seconds * 1000, CANCEL_GRACE_MS));
          reject(signal!.reason);
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.set(id, {
          name,
          settle(answer) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', giveUp);
            if (answer instanceof SkillwrightError) reject(answer);
            else if ('error' in answer)
              reject(SkillwrightError.of('E073', { script: name }, { detail: makeVisible(answer.error) }));
            else if ('tooLarge' in answer) reject(SkillwrightError.of('E072', { script: name }));
            else resolve(answer.result);
          },
        });
        child.input.write(`${JSON.stringify({ id, tool, input })}\n`);
      });
    },
  };
}

/** Arguments that pass the runner to our own runtime, Node or Bun. */
function runnerWords(name: Interpreter['name']): string[] {
  return name === 'bun'
    ? ['--no-install', '-e', toolsetRunner]
    : ['--input-type=module', '-e', toolsetRunner];
}

function startError(
  { reference }: ToolsetModule,
  {
    startSeconds,
    end,
    stderr,
  }: { readonly startSeconds: number; readonly end: ProcessEnd; readonly stderr: string },
): SkillwrightError {
  if (end.stopped === 'time') {
    return toolsetError(reference, `it was not ready within ${formatCount(startSeconds, 'second')}`);
  }
  if (end.stopped !== undefined) return toolsetError(reference, stopReasons[end.stopped]);
  const why = `it ended with status ${end.exitCode} before it was ready`;
  return toolsetError(reference, [why, ...lastLines(stderr)].join('\n'));
}

/** The error of a call whose process has ended. */
function endedError(name: string, end: ProcessEnd & { readonly stderr: string }): SkillwrightError {
  const { exitCode, stopped, failure, stderr } = end;
  if (failure !== undefined) return failure;
  if (stopped === 'output') return SkillwrightError.of('E072', { script: name });
  const why = stopped === undefined ? `its process ended with status ${exitCode}` : stopReasons[stopped];
  return SkillwrightError.of('E073', { script: name }, { detail: [why, ...lastLines(stderr)].join('\n') });
}

const stopReasons = {
  ...stopProblems,
  time: 'another call took too long, which ended the process',
  asked: 'it was deactivated',
} as const;

/** The last lines of the error stream, without stack frames; safe to print. */
function lastLines(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line));
  return lines.slice(-5).map((line) => makeVisible(shorten(line, 300)));
}

/** A tool as declared by its toolset. */
const DeclaredTool = z.object({
  name: z.string().min(1).max(200),
  description: z.string().max(8192),
  schema: z.unknown(),
});
type DeclaredTool = z.infer<typeof DeclaredTool>;

/** One message. */
const ToolsetMessage = z.union([
  z.object({
    ready: z.object({
      description: z.string().max(8192).optional(),
      tools: z.array(DeclaredTool).max(128),
    }),
  }),
  z.object({ failed: z.string() }),
  z.object({ id: z.number().int(), error: z.string() }),
  z.object({ id: z.number().int(), tooLarge: z.literal(true) }),
  z.object({ id: z.number().int(), result: z.unknown() }),
]);
type ToolsetMessage = z.infer<typeof ToolsetMessage>;

/** Options for reading a stream. */
interface MessageReader {
  /** Prefix of every line of the protocol. */
  readonly mark: string;
  /** Limit of one line, and of other output between two accepted messages. */
  readonly maxBytes: number;
  /** True when the message was expected. */
  take(message: ToolsetMessage): boolean;
  /** Called once, when the limit is exceeded. */
  overflow(): void;
}

/** Reads messages from a stream until it ends. Lines without the mark are ignored, but counted. */
function readMessages(stream: Readable, { mark, maxBytes, take, overflow }: MessageReader): void {
  const prefix = Buffer.from(mark);
  let pieces: Buffer[] = [];
  let length = 0;
  let noise = 0;
  let isOver = false;
  const lineEnded = () => {
    const line = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    const message = line.subarray(0, prefix.length).equals(prefix)
      ? parseMessage(line.subarray(prefix.length).toString('utf8'))
      : undefined;
    if (message !== undefined && take(message)) noise = 0;
    else noise += line.length + 1;
  };
  stream.on('error', () => {}); // The process reports its end.
  stream.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length && !isOver; ) {
      const end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      pieces.push(piece);
      length += piece.length;
      start = end === -1 ? chunk.length : end + 1;
      if (length <= maxBytes && end !== -1) lineEnded();
      isOver = length > maxBytes || noise > maxBytes;
      if (isOver) overflow();
    }
  });
}

function parseMessage(text: string): ToolsetMessage | undefined {
  const value: unknown = orUndefined(() => JSON.parse(text));
  if (isShallow(value)) return ToolsetMessage.safeParse(value).data;
  const { id } = Object(value) as { readonly id?: unknown };
  return Number.isInteger(id) ? { id: id as number, error: 'its result is nested too deeply' } : undefined;
}
