// Asks a command, such as `claude -p`: the prompt goes in, its output is the answer. It starts in an empty directory with few
// variables, so that nothing of a skill becomes part of the program.

import { homedir } from 'node:os';
import { basename, delimiter, isAbsolute } from 'node:path';
import {
  describeSystemError,
  desktopEnvironment,
  type Environment,
  findProgram,
  formatBytes,
  killGroup,
  startChild,
} from '../../base/files/index.ts';
import type { ModelAnswer, ModelRequest } from './model.ts';
import { noAnswer, withTimeout } from './model.ts';

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
    const [program = '', ...args] = asked.command.map((word) => word.replaceAll('{prompt}', () => prompt));
    const isArgument = asked.command.some((word) => word.includes('{prompt}'));
    const text = await runModel(asked, { program, args, input: isArgument ? '' : prompt, request });
    return { text: text.trim(), calls: [], inputTokens: null, outputTokens: null, isCut: false };
  };
}

/** Programs that read a word as a program of its own, on this machine or another. */
const shells =
  /^(?:(?:ba|da|z|k|mk|a|c|tc|fi|r|o|ya|elvi|nu)?sh|nu|xonsh|busybox|eval|cmd|powershell|pwsh|ssh|mosh|watch|parallel)(?:\.exe)?$/i;
/** Why a command cannot be asked; undefined when it can. A prompt holds the text of a skill, which no shell may read as its own. */
export function whyNotAskable(command: readonly string[]): string | undefined {
  const [program = ''] = command;
  if (!isAbsolute(program) && /[\\/]/.test(program))
    return `'${program}' is relative; name a program on the PATH, or its absolute path`;
  const shell = command.find((word) => shells.test(basename(word)));
  const isIn = (word: string) => word.includes('{prompt}');
  if (command.some((word, at) => isIn(word) && isCode(command, at)))
    return 'the text of {prompt} would be part of a program; leave it out, the prompt is on standard input';
  if (shell === undefined || !command.some(isIn)) return undefined;
  // The words after `-c` and its script are the script's arguments, which a shell does not read.
  const script = command.findIndex((word) => /^-\w*c$/.test(word)) + 1;
  const isSafe = command.every(
    (word, at) => !isIn(word) || (word === '{prompt}' && script > 0 && at > script),
  );
  return isSafe && !/^(?:cmd|powershell|pwsh)/i.test(basename(shell))
    ? undefined
    : `${basename(shell)} would run the text of {prompt}; leave it out, the prompt is on standard input`;
}

const interpreters =
  /^(?:python\d?(?:\.\d+)?|pypy\d?|node|bun|deno|perl\d?|ruby|php|lua|tclsh|Rscript|osascript|[gmn]?awk|sed|nix-shell|su|script)(?:\.exe)?$/i;
const codeOptions = /^(?:-\w*[ceEpr]|--(?:eval|exec|print|command|run|code|expression)|eval)$/;

/** Whether an interpreter takes a word for code, as in `python3 -c`: nothing but options is between them. */
function isCode(command: readonly string[], at: number): boolean {
  const first = command.findIndex((word) => interpreters.test(basename(word)));
  if (first === -1 || first >= at) return false;
  const between = command.slice(first + 1, at);
  const isOption = (word: string) => word.startsWith('-') || codeOptions.test(word);
  // Without an option, sed and awk take the first word for code.
  const isFirst = between.every(isOption) && /awk|sed/i.test(basename(command[first]!));
  return isFirst || (between.every(isOption) && codeOptions.test(between.at(-1) ?? ''));
}

const passedOn = [
  ...['TMPDIR', 'TEMP', 'TMP', 'LC_ALL', 'LC_CTYPE', 'TERM', 'SHELL', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'all_proxy',
  ],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'PATHEXT', 'ComSpec'],
];

/** The variables of a command: those programs need to start, and the ones the user names for this model. */
export function commandEnvironment(env: Environment, named: readonly string[]): Environment {
  const { PATH, ...rest } = desktopEnvironment(env);
  const given = [...passedOn, ...named].map((name) => [name, env[name]]);
  return { ...rest, ...Object.fromEntries(given), PATH: absolutePath(PATH) };
}

/** A PATH without relative entries, which would find programs in the directory of a skill. */
export const absolutePath = (path = '') => path.split(delimiter).filter(isAbsolute).join(delimiter);

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly request: ModelRequest;
}

function runModel(
  { name, env, timeoutMs }: AskedCommand,
  { program, args, input, request: { place, signal } }: Run,
): Promise<string> {
  // Found by its absolute path, so that the directory it starts in does not matter.
  const file = isAbsolute(program) ? program : findProgram(program, env);
  if (file === undefined)
    return Promise.reject(
      noAnswer(name, `cannot start '${program}': it is not on the PATH`, { isFinal: true }),
    );
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
      else reject(noAnswer(name, withTimeout(name, failure, timeoutMs), { isFinal }));
    };
    child.on('error', (error) => settle(`cannot start '${program}': ${describeSystemError(error)}`, true));
    child.on('close', (status) => {
      if (why !== undefined || status === 0) return settle(why);
      const said = errors.replace(/\s+/g, ' ').trim();
      settle(`'${program}' ended with status ${status}${said === '' ? '' : `: ${said}`}`);
    });
    // A command may end before it has read everything.
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}
