// The keyring of the system, through the program that comes with it. A token is never passed on a command line, where other
// users of the machine could see it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  askProgram,
  desktopEnvironment,
  type Environment,
  findProgram,
  sha256,
} from '../../base/files/index.ts';

/** Programs that give access to a keyring. */
export const keyringPrograms = ['secret-tool', 'security'] as const;
type KeyringProgram = (typeof keyringPrograms)[number];

/** Settings of a keyring. Tokens of different home directories are kept apart. */
interface KeyringOptions {
  readonly home: string;
  readonly env: Environment;
}

/** The keyring of this session; undefined when there is none. Nothing is started. */
export function findKeyring(options: KeyringOptions, platform = process.platform) {
  const program = platform === 'darwin' ? 'security' : platform === 'linux' ? 'secret-tool' : undefined;
  if (program === undefined || (program === 'secret-tool' && !hasSession(options.env))) return undefined;
  return openKeyring(program, options);
}

/**
 * The keyring behind a program; undefined when the program is not there. No method throws: a keyring that cannot be used has nothing
 * and keeps nothing.
 */
export function openKeyring(program: KeyringProgram, { home, env }: KeyringOptions) {
  const file = findProgram(program, env);
  if (file === undefined) return undefined;
  const asking = { env: desktopEnvironment(env), timeoutMs: TIMEOUT_MS };
  const run: Run = (args, input) => askProgram(file, args, { ...asking, input });
  const keyring = spoken[program](sha256(home).slice(0, 16), run);
  const find = async (registry: string) => (await keyring.find(registry)) || undefined;
  return {
    program,
    find,
    /** True when the keyring gives back the token it was given. */
    async store(registry: string, token: string): Promise<boolean> {
      await keyring.store(registry, token);
      return (await find(registry)) === token;
    },
    remove: async (registry: string) => (await keyring.remove(registry)) !== undefined,
  };
}

/** Long enough for a person to unlock the keyring. */
const TIMEOUT_MS = 60_000;

/** Runs the program and returns its output; undefined when it fails. */
type Run = (args: readonly string[], input?: string) => ReturnType<typeof askProgram>;

/** How each program is spoken to. */
const spoken: Readonly<
  Record<
    KeyringProgram,
    (
      owner: string,
      run: Run,
    ) => {
      find(registry: string): ReturnType<Run>;
      store(registry: string, token: string): ReturnType<Run>;
      remove(registry: string): ReturnType<Run>;
    }
  >
> = {
  'secret-tool': (owner, run) => {
    const attributes = (registry: string) => ['service', 'skc', 'registry', registry, 'home', owner];
    return {
      find: (registry) => run(['lookup', ...attributes(registry)]),
      store: (registry, token) => run(['store', `--label=skc: ${registry}`, ...attributes(registry)], token),
      remove: (registry) => run(['clear', ...attributes(registry)]),
    };
  },
  security: (owner, run) => {
    const item = (registry: string) => ['-s', `skc ${registry}`, '-a', owner];
    return {
      find: (registry) => run(['find-generic-password', ...item(registry), '-w']),
      // Commands on standard input are not on the command line. An address has no quotes.
      store: (registry, token) =>
        run(
          ['-i'],
          `add-generic-password -U -s "skc ${registry}" -a ${owner} -X ${Buffer.from(token).toString('hex')}\n`,
        ),
      remove: (registry) => run(['delete-generic-password', ...item(registry)]),
    };
  },
};

/** Whether a D-Bus session runs: without one, `secret-tool` has nobody to ask. */
function hasSession({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: Environment): boolean {
  if (DBUS_SESSION_BUS_ADDRESS) return true;
  return XDG_RUNTIME_DIR !== undefined && existsSync(join(XDG_RUNTIME_DIR, 'bus'));
}
