// Files and directories of the user that one run may see or change, beyond the skill itself.

import { resolve } from 'node:path';
import { invalidOption, orUndefined } from '../../base/diagnostics/index.ts';
import { isDirectory, isInside, isThere, realPath, statusAt } from '../../base/files/index.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';

/** What the user names on the command line. */
export interface ShareRequest {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Where the script runs; in its skill without it. */
  readonly cwd: string | undefined;
}

/** The same as absolute real paths. */
export interface SharedPaths {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly cwd: string | undefined;
}

/** Where words start from, and what is too wide to be shared. */
export interface ShareContext {
  readonly cwd: string;
  readonly home: string;
}

/** The paths that words name. E100 for one that is not there, and for one so wide that the home directory lies in it. */
export function readShared(request: ShareRequest, context: ShareContext): SharedPaths {
  const locate = (word: string): string => {
    const path = resolve(context.cwd, word);
    if (word === '' || word.includes('\0') || !isThere(path)) {
      const help = 'a file that is yet to be written is shared with its directory';
      throw invalidOption(`${word} does not exist`, help);
    }
    const real = realPath(path);
    if (isInside(real, realPath(context.home)))
      throw invalidOption(`${word} holds the home directory`, 'name the files the script needs');
    if (SYSTEM.some((root) => isInside(root, real)))
      throw invalidOption(`${word} belongs to the system`, 'name files of your own');
    return real;
  };
  const writable = request.write.map(locate);
  const cwd = request.cwd === undefined ? undefined : locate(request.cwd);
  if (cwd !== undefined && !isDirectory(cwd)) throw invalidOption(`${request.cwd} is not a directory`);
  const seen = [...request.read.map(locate), ...(cwd === undefined ? [] : [cwd])];
  // Read-only comes first and what may be changed on top of it, so one path in both lists may be changed.
  const readable = seen.filter((path) => !writable.some((other) => isInside(other, path)));
  return { readable, writable, cwd };
}

/** What the sandbox itself puts together. */
const SYSTEM = ['/proc', '/sys', '/dev', '/run'];

/** A sandbox in which every command sees these paths too. */
export function shareWith(sandbox: Sandbox, { readable, writable, cwd }: SharedPaths): Sandbox {
  const widen = <Command extends SandboxedCommand>(command: Command): Command => ({
    ...command,
    cwd: cwd ?? command.cwd,
    readable: [...command.readable, ...readable],
    shown: [...(command.shown ?? []), ...writable.map((from) => ({ from, at: from, writable: true }))],
  });
  return {
    ...sandbox,
    run: (command) => sandbox.run(widen(command)),
    start: (command) => sandbox.start(widen(command)),
  };
}

/** The arguments for the script: a word that is shared stands for its absolute path, since the script runs elsewhere. */
export function spellArguments(
  args: readonly string[],
  request: ShareRequest,
  { cwd }: ShareContext,
): readonly string[] {
  if (request.cwd !== undefined) return args;
  const shared = new Set([...request.read, ...request.write]);
  return args.map((word) => (shared.has(word) ? realPath(resolve(cwd, word)) : word));
}

/** Files and directories of the user that arguments name and the script could not see. */
export function unseenArguments(
  args: readonly string[],
  { shared, skill, cwd }: { shared: SharedPaths; skill: string; cwd: string },
): string[] {
  const seen = [...shared.readable, ...shared.writable, realPath(skill)];
  const paths = args.flatMap((word) => {
    const value = /^--?[\w-]+=(.+)$/s.exec(word)?.[1] ?? word;
    if (value === '' || value.startsWith('-')) return [];
    const path = resolve(cwd, value);
    // A path that cannot be looked at is nothing the user could share.
    return orUndefined(() => statusAt(path)) === undefined ? [] : [realPath(path)];
  });
  return [...new Set(paths)].filter((path) => !seen.some((root) => isInside(root, path)));
}
