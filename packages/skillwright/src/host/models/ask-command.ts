// Asks a command, such as `claude -p`: the prompt goes in, its output is the answer.

import { homedir } from 'node:os';
import { describeSystemError, type Environment, formatBytes, startChild } from '../../base/files/index.ts';
import type { ModelAnswer, ModelRequest } from './model.ts';
import { noAnswer } from './model.ts';

/** A command, and its limits. */
interface AskedCommand {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Environment;
  readonly timeoutMs: number;
}

const MAX_BYTES = 4 * 1024 * 1024;
const SHOWN_ERRORS = 500;

/** A function that asks the command. It has no tools, and nobody counts its tokens. */
export function createCommandModel(asked: AskedCommand): (request: ModelRequest) => Promise<ModelAnswer> {
  return async (request) => {
    const prompt = [request.system, ...request.turns.map(({ text }) => text)].join('\n\n');
    const [file, ...args] = asked.command.map((word) => word.replaceAll('{prompt}', () => prompt));
    const isArgument = asked.command.some((word) => word.includes('{prompt}'));
    const text = await run(asked, { file: file!, args, input: isArgument ? '' : prompt, request });
    return { text: text.trim(), calls: [], inputTokens: null, outputTokens: null, isCut: false };
  };
}

interface Run {
  readonly file: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly request: ModelRequest;
}

function run(
  { name, env, timeoutMs }: AskedCommand,
  { file, args, input, request: { place, signal } }: Run,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = startChild(file, args, {
      cwd: place?.cwd ?? homedir(),
      env: { ...env, ...place?.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let why: string | undefined;
    const stop = (reason: string) => {
      why ??= reason;
      killGroup(child.pid);
    };
    const cancel = () => stop('cancelled');
    const timer = setTimeout(() => stop(`timed out after ${timeoutMs / 1000} s`), timeoutMs);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let errors = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) stop(`it printed more than ${formatBytes(MAX_BYTES)}`);
      else chunks.push(chunk);
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-SHOWN_ERRORS);
    });
    const settle = (failure: string | undefined, isFinal = false) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      if (failure === undefined) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(noAnswer(name, failure, { isFinal }));
    };
    child.on('error', (error) => settle(`cannot start '${file}': ${describeSystemError(error)}`, true));
    child.on('close', (status) => {
      if (why !== undefined || status === 0) return settle(why);
      const said = errors.replace(/\s+/g, ' ').trim();
      settle(`'${file}' ended with status ${status}${said === '' ? '' : `: ${said}`}`);
    });
    // A command may end before it has read everything.
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
