// A command of the registry's own program.

import type { Settings } from '../settings/index.ts';

/** The surroundings of a run: tests give their own. */
export interface CommandContext {
  readonly settings: Settings;
  readonly words: readonly string[];
  /** Flags of the command itself, by name. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** The result. */
  out(line: string): void;
  /** Everything else. */
  err(line: string): void;
  /** Ends a server gracefully. */
  readonly stop: AbortSignal;
}

/** A command. */
export interface Command {
  readonly name: string;
  /** Words after the name, for the help. */
  readonly usage?: string;
  readonly summary: string;
  /** Number of words it takes: fewest and most. */
  readonly words?: readonly [number, number];
  /** Flags besides the settings, with their help. */
  readonly flags?: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly help: string }>>;
  /** False for a command that has no registry: its flags are all there are. */
  readonly hasSettings?: false;
  /** Returns the exit code. */
  run(context: CommandContext): Promise<number>;
}
