// The only place that starts programs.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { SkillwrightError } from '../diagnostics/index.ts';

/** Where and with what a program is started. Variables without a value are not set; nothing is inherited. */
interface ChildOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdio: SpawnOptions['stdio'];
  /** The program leads a process group of its own. */
  readonly detached?: boolean;
  /** Number of the user and the group it runs as, if that is another one; only root may name one. */
  readonly user?: number | undefined;
}

/** Starts a program without a shell. E076 when a word cannot be passed on as it is. */
export function startChild(file: string, args: readonly string[], options: ChildOptions): ChildProcess {
  const { cwd, env, stdio, detached = false, user } = options;
  checkWords([file, cwd, ...args]);
  const variables = Object.entries(env).filter(([, value]) => value !== undefined);
  for (const [name, value] of variables) {
    checkWords([name, value]);
    if (name === '' || name.includes('=', 1)) throw refuseStart(`'${name}' cannot name a variable`);
  }
  const as = user === undefined ? {} : { uid: user, gid: user };
  const started = { cwd, env: Object.fromEntries(variables), stdio, detached, shell: false, ...as };
  if (process.platform !== 'win32' || !isBatchFile(file)) return spawn(file, args, started);
  const line = commandLineFor([file, ...args]);
  const shell = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\cmd.exe`;
  return spawn(shell, ['/d', '/s', '/c', `"${line}"`], { ...started, windowsVerbatimArguments: true });
}

/** Windows starts these with its command interpreter only. */
const isBatchFile = (file: string) => /\.(?:cmd|bat)$/i.test(file);

/**
 * A line for the command interpreter of Windows that gives these words to a batch file. In quotes everything stands for
 * itself but a quote, a variable and the end of the line. E076 for a word with one of those.
 */
export function commandLineFor(words: readonly string[]): string {
  for (const word of words)
    if (/["%\r\n]/.test(word))
      throw refuseStart('a batch file cannot be given a word with ", % or a line break');
  // A backslash before the closing quote would hide it.
  return words.map((word) => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ');
}

/** Kills a program that was started `detached`, and everything that it started. It may have ended already. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    const taskkill = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
    spawn(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A NUL-terminated list of words. E076 if a word contains a NUL. */
export function joinWords(words: readonly string[]): Buffer {
  checkWords(words);
  return Buffer.from(words.map((word) => `${word}\0`).join(''));
}

/** The system ends a word at a NUL: the rest would become another word, or be lost. */
function checkWords(words: readonly unknown[]): void {
  for (const word of words) {
    if (typeof word !== 'string') throw refuseStart(`a word is ${typeof word}, not text`);
    if (word.includes('\0')) throw refuseStart('a word holds a NUL character');
  }
}

function refuseStart(why: string): SkillwrightError {
  return SkillwrightError.of('E076', { why });
}

const MAX_ANSWER_BYTES = 64 * 1024;

/** The trimmed output of a program that reads `input`; undefined if it fails, takes too long or prints too much. */
export function askProgram(
  file: string,
  args: readonly string[],
  {
    env,
    timeoutMs,
    input = '',
  }: { readonly env: Environment; readonly timeoutMs: number; readonly input?: string | undefined },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // At the root, where no file can change the answer.
    const child = startChild(file, args, { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let printed = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.length > MAX_ANSWER_BYTES) child.kill('SIGKILL');
    });
    const settle = (answer: string | undefined) => {
      clearTimeout(timer);
      resolve(answer);
    };
    child.on('error', () => settle(undefined));
    child.on('close', (status) => settle(status === 0 ? printed.trim() : undefined));
    // A program that ends without reading is judged by its status.
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}

// Where a program is, without running anything.

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The file that a program's name means on the PATH; undefined when there is none. Only plain names are looked for. */
export function findProgram(
  name: string,
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (!isPlain(name)) return undefined;
  const path = variableIn(env, 'PATH') ?? '';
  const endings = platform === 'win32' ? endingsFor(name, env) : [''];
  for (const directory of path.split(delimiter)) {
    // A relative directory would make the answer depend on the working directory.
    if (!isAbsolute(directory)) continue;
    for (const ending of endings) {
      const file = join(directory, name + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** Whether there is a PATH at all: without one, nothing can be said about what is installed. */
export const isPathGiven = (env: Environment): boolean => (variableIn(env, 'PATH') ?? '') !== '';

/** A variable by its name. Windows spells `PATH` as it likes, and copies of its environment tell letters apart. */
export function variableIn(env: Environment, name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([other]) => other.toUpperCase() === name.toUpperCase())?.[1];
}

/**
 * What Windows runs has one of these endings. Beside `npm.cmd` there is an `npm` for other systems, so a name without an
 * ending is never the file.
 */
function endingsFor(name: string, env: Environment): string[] {
  const endings = (variableIn(env, 'PATHEXT') ?? '.EXE;.CMD;.BAT')
    .split(';')
    .filter((ending) => ending !== '');
  const isWhole = endings.some((ending) => name.toUpperCase().endsWith(ending.toUpperCase()));
  return isWhole ? [''] : endings;
}

function isPlain(name: string): boolean {
  return name !== '' && !/[\\/\0]/.test(name) && name !== '.' && name !== '..';
}

function isExecutable(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const passedOn: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_DATA_DIRS',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_TYPE',
  'DBUS_SESSION_BUS_ADDRESS',
  'BROWSER',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

/** The variables such a program needs. Tokens of the environment are not among them. */
export function desktopEnvironment(env: Environment): Environment {
  return Object.fromEntries(passedOn.map((name) => [name, variableIn(env, name)]));
}
