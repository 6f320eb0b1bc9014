// A world that may reach a registry on this machine, and a context for commands that ask a person.

import type { Asker } from '../src/front/commands/command-context.ts';
import { createContext } from '../src/front/commands/create-client.ts';
import { runCommand } from '../src/front/commands/run-command.ts';
import { type CommandName, commandTable } from '../src/front/commands/table.ts';
import { type AccountServer, serveAccounts } from './account-server.ts';
import type { Tree } from './make-directory.ts';
import { makeWorld, type World } from './make-world.ts';
import type { SkcResult } from './run-in-process.ts';

/** Lets requests reach servers of tests. */
const localNetwork = { SKC_NETWORK_ALLOW_PRIVATE: '127.0.0.1', SKC_NETWORK_TIMEOUT: '2' };

/** A world next to a registry with accounts. */
export interface RegistryWorld extends World {
  readonly server: AccountServer;
  /** Its address, with `/` at the end. */
  readonly registry: string;
  /** Runs skc; texts show the registry as `<registry>/`. */
  skc(
    words: readonly string[],
    options?: { readonly env?: Readonly<Record<string, string>>; readonly stdin?: string },
  ): Promise<SkcResult>;
}

/** A new world. `isConfigured`: the user's configuration names the registry. */
export async function makeRegistryWorld(
  { isConfigured = true, files = {} }: { readonly isConfigured?: boolean; readonly files?: Tree } = {},
  server?: AccountServer,
): Promise<RegistryWorld> {
  const served = server ?? (await serveAccounts());
  const registry = `${served.url}/`;
  const world = makeWorld({
    ...(isConfigured ? { '~/.skillc/config.toml': `[registry]\nurl = "${registry}"\n` } : {}),
    ...files,
  });
  const show = (text: string) => text.replaceAll(served.url, '<registry>');
  return {
    ...world,
    server: served,
    registry,
    async skc(words, { env = {}, stdin } = {}) {
      const result = await world.run(words, {
        env: { ...localNetwork, ...env },
        ...(stdin === undefined ? {} : { stdin }),
      });
      const stdout = show(result.stdout);
      return { ...result, stdout, stderr: show(result.stderr), json: () => JSON.parse(stdout) };
    },
  };
}

/** Runs a command for a person who answers every question. */
export async function runForPerson(
  name: CommandName,
  input: object,
  {
    world,
    ask,
    env = {},
    signal = new AbortController().signal,
  }: {
    readonly world: World;
    readonly ask: Asker;
    readonly env?: Readonly<Record<string, string>>;
    /** Aborted by Ctrl-C. */
    readonly signal?: AbortSignal;
  },
): Promise<{ output: unknown; notes: string[] }> {
  const notes: string[] = [];
  const context = {
    ...createContext({
      cwd: world.project,
      home: world.home,
      env: { ...localNetwork, ...env },
      onNote: (text) => notes.push(text),
      onDiagnostic: (diagnostic) => notes.push(diagnostic.message),
      signal,
    }),
    ask,
  };
  const command = await commandTable[name].load();
  const output = await runCommand(name, command, { input: command.input.parse(input) as never, context });
  return { output, notes };
}
