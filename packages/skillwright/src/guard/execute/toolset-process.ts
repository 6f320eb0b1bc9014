// One process that holds one toolset: started, asked, ended.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatCount, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Environment } from '../../base/files/index.ts';
import { shorten } from '../../skill/format/index.ts';
import { type Interpreter, ownRuntime } from './find-interpreter.ts';
import type { Limits } from './limits.ts';
import type { ProcessEnd, Sandbox } from './sandbox.ts';
import type { SkillAccess } from './skill-access.ts';
import { type DeclaredTool, readMessages, type ToolsetMessage } from './toolset-messages.ts';
import { type ToolsetModule, toolsetError } from './toolset-module.ts';
import { toolsetRunner } from './toolset-runner.ts';

/** How a toolset is run. */
export interface ToolsetRun {
  readonly sandbox: Sandbox;
  readonly access: SkillAccess;
  readonly limits: Limits;
  readonly env: Environment;
  /** How long it may take to be ready. */
  readonly startSeconds: number;
  /** Called once, when nothing of it is left. */
  readonly afterwards: () => void;
}

/** One call. */
export interface ToolCall {
  /** As the toolset calls it. */
  readonly tool: string;
  /** As the model calls it, for messages. */
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** A toolset that is ready. */
export interface ToolsetProcess {
  readonly tools: readonly DeclaredTool[];
  isAlive(): boolean;
  /** The result; E071, E072 or E073 when there is none. A call that takes too long ends the process. */
  call(call: ToolCall): Promise<unknown>;
  /** Ends it; what is being waited for fails. Settles when nothing of it is left. */
  stop(): Promise<void>;
}

/** What a message has around a result. */
const ENVELOPE_BYTES = 4096;

/** What a tool gets to obey a cancellation before its process is ended. */
const CANCEL_GRACE_MS = 1000;

interface Waiting {
  readonly name: string;
  settle(answer: Exclude<ToolsetMessage, { ready: unknown } | { failed: string }> | SkillwrightError): void;
}

/** Starts a toolset and waits until it has told its tools. E080 when it does not, E074 when it cannot be started. */
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
  /** A call took too long, and the process is on its way out. */
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
  child.write(`${JSON.stringify({ ...order, maxBytes: limits.outputBytes })}\n`);

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
  if (tools === undefined)
    throw end?.failure ?? startError(module, { failure, startSeconds, end: end!, stderr: child.stderr() });

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
          // The tool is told, and ended with its process if it goes on all the same.
          child.write(`${JSON.stringify({ cancel: id })}\n`);
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
        child.write(`${JSON.stringify({ id, tool, input })}\n`);
      });
    },
  };
}

/** How the runner is given to the program that runs us, which can run modules whatever it is. */
function runnerWords(name: Interpreter['name']): string[] {
  return name === 'bun'
    ? ['--no-install', '-e', toolsetRunner]
    : ['--input-type=module', '-e', toolsetRunner];
}

interface FailedStart {
  /** What the runner says. */
  readonly failure: string | undefined;
  readonly startSeconds: number;
  readonly end: ProcessEnd;
  readonly stderr: string;
}

function startError({ reference }: ToolsetModule, failed: FailedStart): SkillwrightError {
  const { failure, startSeconds, end, stderr } = failed;
  if (failure !== undefined) return toolsetError(reference, makeVisible(failure));
  if (end.stopped === 'time') {
    return toolsetError(reference, `it was not ready within ${formatCount(startSeconds, 'second')}`);
  }
  if (end.stopped !== undefined) return toolsetError(reference, stopReasons[end.stopped]);
  const why = `it ended with status ${end.exitCode} before it was ready`;
  return toolsetError(reference, [why, ...lastLines(stderr)].join('\n'));
}

/** Why a call has no answer: the process is gone. */
function endedError(name: string, end: ProcessEnd & { readonly stderr: string }): SkillwrightError {
  const { exitCode, stopped, failure, stderr } = end;
  if (failure !== undefined) return failure;
  if (stopped === 'output') return SkillwrightError.of('E072', { script: name });
  const why = stopped === undefined ? `its process ended with status ${exitCode}` : stopReasons[stopped];
  return SkillwrightError.of('E073', { script: name }, { detail: [why, ...lastLines(stderr)].join('\n') });
}

const stopReasons = {
  time: 'another call took too long, and ended its process',
  output: 'it wrote too much',
  memory: 'it used too much memory',
  processes: 'it started too many processes',
  asked: 'it was deactivated',
} as const;

/** The end of what a process wrote to its error stream, without the places in the code; safe to show. */
function lastLines(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line));
  return lines.slice(-5).map((line) => makeVisible(shorten(line, 300)));
}
