// Finds the program that runs a script, and the files of its installation that the sandbox must mount.

import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, extname, isAbsolute, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  askProgram,
  type Environment,
  findProgram,
  isInside,
  isPathGiven,
  variableIn,
} from '../../base/files/index.ts';
import { describeRuntime } from '../../base/version.ts';

/** A program that runs scripts. */
export interface Interpreter {
  /** Name of the program, such as `python3`. */
  readonly name: string;
  /** Arguments before the script. */
  readonly argv: readonly [string, ...string[]];
  /** Variables it needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Paths outside the system's directories. */
  readonly readable: readonly string[];
}

/** File extensions and the programs that run them, in order of preference. */
const byEnding: Readonly<Record<string, readonly string[] | undefined>> = {
  '.sh': ['bash', 'sh'],
  '.py': ['python3'],
  '.js': ['node', 'bun'],
  '.mjs': ['node', 'bun'],
  '.cjs': ['node', 'bun'],
  '.ts': ['node', 'bun'],
  '.mts': ['node', 'bun'],
};

/** Differences on Windows: its installer of Python calls it `python`, and it has scripts of its own. */
const byEndingOnWindows: typeof byEnding = {
  ...byEnding,
  '.py': ['python3', 'python', 'py'],
  '.ps1': ['pwsh', 'powershell'],
  '.cmd': ['cmd'],
  '.bat': ['cmd'],
};

/** Names of the programs that can run a file; undefined when it is not a script. */
export function interpretersFor(
  path: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  return (platform === 'win32' ? byEndingOnWindows : byEnding)[extname(path).toLowerCase()];
}

/** The shell that runs the commands of hooks and dynamic context. E074 on a Windows without one. */
export function findShell(env: Environment): string {
  if (process.platform !== 'win32') return '/bin/sh';
  const shell = findOnPath('bash', env) ?? findOnPath('sh', env);
  if (shell !== undefined) return shell;
  const help = 'install Git for Windows, and add its bin directory to the PATH';
  throw SkillwrightError.of('E074', { why: 'commands of skills need a POSIX shell' }, { help });
}

/** Like `findProgram`, without what Windows puts in the place of programs: its own Linux, and offers to install them. */
function findOnPath(name: string, env: Environment): string | undefined {
  if (process.platform !== 'win32') return findProgram(name, env);
  if (name === 'cmd' || name === 'powershell') return findProgram(name, env);
  const places = (variableIn(env, 'PATH') ?? '').split(delimiter);
  const PATH = places.filter((place) => !/\\(?:system32|windowsapps)\\?$/i.test(place)).join(delimiter);
  return findProgram(name, { PATHEXT: variableIn(env, 'PATHEXT'), PATH });
}

/** The program for a script. E074 when none is installed. */
export async function findInterpreter(path: string, env: Environment): Promise<Interpreter> {
  const names = interpretersFor(path) ?? [];
  const isTyped = /ts$/i.test(extname(path));
  for (const name of names) {
    const program = findOnPath(name, env);
    if (program === undefined) continue;
    const file = await realProgram(name, program, env);
    if (file === undefined) continue;
    if (name === 'node' && isTyped && !(await stripsTypes(file))) continue;
    return interpreterAt(name, file, env);
  }
  const own = names.includes('node') ? ownRuntime(env) : undefined;
  if (own !== undefined) return own;
  if (!isPathGiven(env)) {
    const why = `no PATH was given to look for a program for '${basename(path)}'`;
    throw SkillwrightError.of('E074', { why }, { help: 'pass an environment with PATH' });
  }
  const wanted = isTyped ? 'node 22.18 or newer, or bun' : names.join(' or ');
  const why = `no program for '${basename(path)}' is installed`;
  throw SkillwrightError.of('E074', { why }, { help: `install ${wanted}` });
}

/** This process as an interpreter: Node, or the Bun inside the native executable. */
export function ownRuntime(env: Environment): Interpreter {
  const { runtime } = describeRuntime();
  const file = realpathSync.native(process.execPath);
  if (runtime === 'node') return interpreterAt('node', file, env);
  const bun = interpreterAt('bun', file, env);
  return runtime === 'native' ? { ...bun, env: { BUN_BE_BUN: '1' } } : bun;
}

function interpreterAt(name: string, file: string, env: Environment): Interpreter {
  const quiet =
    name === 'node'
      ? ['--disable-warning=ExperimentalWarning']
      : name === 'pwsh' || name === 'powershell'
        ? ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File']
        : [];
  const readable = name === 'bun' ? outside([file, realpathSync.native(file)]) : installationOf(file, env);
  return { name, argv: [file, ...quiet], env: {}, readable };
}

/** Directories that every sandbox mounts. */
const systemPlaces = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/System'];

/** The program and its libraries, if outside the system's directories. Never the home directory around them. */
function installationOf(file: string, env: Environment): string[] {
  const real = realpathSync.native(file);
  const prefixes = [...new Set([file, real].map((place) => dirname(dirname(place))))];
  const holdsHome = (path: string) => env.HOME !== undefined && isInside(path, env.HOME);
  const parts = prefixes.flatMap((prefix) =>
    holdsHome(prefix) ? [] : ['lib', 'lib64', 'pyvenv.cfg'].map((part) => join(prefix, part)),
  );
  return outside([file, real, ...parts]);
}

/** Existing paths that not every sandbox mounts. */
function outside(paths: readonly string[]): string[] {
  const isShown = (path: string) => systemPlaces.some((place) => isInside(place, path));
  return [...new Set(paths)].filter((path) => !isShown(path) && existsSync(path));
}

const ANSWER_MS = 10_000;
const asked = new Map<string, Promise<string | undefined>>();

/** The real program behind a shim of a version manager on the PATH. */
async function realProgram(name: string, program: string, env: Environment): Promise<string | undefined> {
  if (name === 'bash' || name === 'sh') return program;
  if (!isShellScript(program))
    return existsSync(join(dirname(dirname(program)), 'pyvenv.cfg')) ? program : realpathSync.native(program);
  const question =
    name === 'python3' ? ['-c', 'import sys; print(sys.executable)'] : ['-p', 'process.execPath'];
  const known = asked.get(program);
  if (known !== undefined) return known;
  const answer = askProgram(program, question, { env, timeoutMs: ANSWER_MS }).then((path) =>
    path !== undefined && isAbsolute(path) && existsSync(path) ? realpathSync.native(path) : undefined,
  );
  asked.set(program, answer);
  return answer;
}

const versions = new Map<string, Promise<boolean>>();

/** Whether a Node runs TypeScript directly, as from 22.18 on. */
async function stripsTypes(node: string): Promise<boolean> {
  const isOwn = describeRuntime().runtime === 'node' && node === realpathSync.native(process.execPath);
  if (isOwn) return true;
  const known =
    versions.get(node) ?? askProgram(node, ['--version'], { env: {}, timeoutMs: ANSWER_MS }).then(isRecent);
  versions.set(node, known);
  return known;
}

function isRecent(version = ''): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

function isShellScript(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(descriptor, start);
    return start.toString('latin1') === '#!';
  } finally {
    closeSync(descriptor);
  }
}
