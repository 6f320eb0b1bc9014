// The command table as a library: one async function per command, with the types of its declaration.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type * as z from 'zod';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import type { FrontContext } from './command-context.ts';
import { parseInput } from './parse-input.ts';
import { runCommand } from './run-command.ts';
import { type CommandName, commandNames, commandTable } from './table.ts';

type Declaration<Name extends CommandName> = Awaited<ReturnType<(typeof commandTable)[Name]['load']>>;

/** A command as a function: takes its input, returns its result, throws `SkillwrightError`. */
type CommandFunction<D> = D extends {
  readonly input: infer Input extends z.ZodType;
  readonly output: infer Output extends z.ZodType;
}
  ? (input?: z.input<Input>) => Promise<z.output<Output>>
  : never;

/** All commands as functions. */
export type Client = { readonly [Name in CommandName]: CommandFunction<Declaration<Name>> };

/** Surroundings of a client; anything left out comes from the process. */
export interface ClientOptions {
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
  /** Receives warnings; silent by default. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  readonly onNote?: (text: string) => void;
  readonly onProgress?: (text: string) => void;
  /** Stops operations that run until told otherwise, such as watching. */
  readonly signal?: AbortSignal;
}

/** A context from options; anything left out comes from this process. */
export function createContext(options: ClientOptions = {}): FrontContext {
  const env = options.env ?? process.env;
  return {
    cwd: resolve(options.cwd ?? '.'),
    home: resolve(options.home ?? readVariable(env, 'HOME') ?? homedir()),
    env,
    now: options.now ?? (() => new Date()),
    report: options.onDiagnostic ?? (() => {}),
    by: 'user',
    note: options.onNote ?? (() => {}),
    progress: options.onProgress ?? (() => {}),
    signal: options.signal ?? new AbortController().signal,
  };
}

/** The commands of `skc` as functions: `createClient({ cwd }).lint({ paths: ['skills'] })`. */
export function createClient(options: ClientOptions = {}): Client {
  const context = createContext(options);
  const entries = commandNames.map((name) => [
    name,
    async (input: unknown = {}) => {
      const command = await commandTable[name].load();
      return runCommand(name, command, { input: parseInput(command.input, input), context });
    },
  ]);
  return Object.fromEntries(entries) as Client;
}
