// The user's files and directories that one run may read or change.

import { resolve } from 'node:path';
import { invalidOption, orUndefined } from '../../base/diagnostics/index.ts';
import { isDirectory, isInside, isThere, realPath, statusAt } from '../../base/files/index.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';

/** Paths from the command line. */
interface ShareRequest {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Working directory of the script; its skill by default. */
  readonly cwd: string | undefined;
}

/** The same as absolute real paths. */
interface SharedPaths {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly cwd: string | undefined;
}

/** Base for relative paths, and the home directory, which must not be shared. */
interface ShareContext {
  readonly cwd: string;
  readonly home: string;
}

/** Resolves the paths. E100 for one that does not exist, or that contains the home directory. */
export function readShared(request: ShareRequest, context: ShareContext): SharedPaths {
  const locate = (word: string): string => {
    const path = resolve(context.cwd, word);
    if (word === '' || word.includes('\0') || !isThere(path)) {
      const help = 'to let the script create a file, share its directory';
      throw invalidOption(`${word} does not exist`, help);
    }
    const real = realPath(path);
    if (isInside(real, realPath(context.home)))
      throw invalidOption(`${word} contains the home directory`, 'name the files the script needs');
    if (SYSTEM.some((root) => isInside(root, real)))
      throw invalidOption(`${word} belongs to the system`, 'name files of your own');
    return real;
  };
  const writable = request.write.map(locate);
  const cwd = request.cwd === undefined ? undefined : locate(request.cwd);
  if (cwd !== undefined && !isDirectory(cwd)) throw invalidOption(`${request.cwd} is not a directory`);
  const seen = [...request.read.map(locate), ...(cwd === undefined ? [] : [cwd])];
  // Read-only paths come first, then writable ones, so a path in both lists is writable.
  const readable = seen.filter((path) => !writable.some((other) => isInside(other, path)));
  return { readable, writable, cwd };
}

/** Directories that the sandbox itself provides. */
const SYSTEM = ['/proc', '/sys', '/dev', '/run'];

/** A sandbox that also mounts these paths for every command. */
export function shareWith(sandbox: Sandbox, { readable, writable, cwd }: SharedPaths): Sandbox {
  const widen = <Command extends SandboxedCommand>(command: Command): Command => ({
    ...command,
    cwd: cwd ?? command.cwd,
    alone: command.alone === true && readable.length + writable.length === 0,
    readable: [...command.readable, ...readable],
    shown: [...(command.shown ?? []), ...writable.map((from) => ({ from, at: from, writable: true }))],
  });
  return {
    ...sandbox,
    run: (command) => sandbox.run(widen(command)),
    start: (command) => sandbox.start(widen(command)),
  };
}

/** Arguments of the script. A shared path becomes absolute, since the script runs in another directory. */
export function spellArguments(
  args: readonly string[],
  request: ShareRequest,
  { cwd }: ShareContext,
): readonly string[] {
  if (request.cwd !== undefined) return args;
  const shared = new Set([...request.read, ...request.write]);
  return args.map((word) => (shared.has(word) ? realPath(resolve(cwd, word)) : word));
}

/** Existing files that arguments name but the script could not see. */
export function unseenArguments(
  args: readonly string[],
  { shared, skill, cwd }: { shared: SharedPaths; skill: string; cwd: string },
): string[] {
  const seen = [...shared.readable, ...shared.writable, realPath(skill)];
  const paths = args.flatMap((word) => {
    const value = /^--?[\w-]+=(.+)$/s.exec(word)?.[1] ?? word;
    if (value === '' || value.startsWith('-')) return [];
    const path = resolve(cwd, value);
    // The user cannot share an unreadable path.
    return orUndefined(() => statusAt(path)) === undefined ? [] : [realPath(path)];
  });
  return [...new Set(paths)].filter((path) => !seen.some((root) => isInside(root, path)));
}
