// Everything a command may know of the world outside its input.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Session } from '../../host/runtime/index.ts';
import type { CatalogKeeper } from '../../read/catalog/index.ts';
import type { IndexCache } from '../../read/index/index.ts';
import type { CataloguedSkills } from '../../skill/places/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';

/** A skill that was accessed. */
export interface AccessedSkill {
  /** Canonical directory of the source. */
  readonly dir: string;
  /** Its runtime directory, which may not exist yet. */
  readonly runtime: string;
}

/** How another skc is started: the command and its first arguments. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Something to choose from. */
export interface Choice {
  readonly label: string;
  /** Shown dimmed behind the label. */
  readonly note?: string | undefined;
}

/** Questions to a person at a terminal. */
export interface Asker {
  /** Positions of what was chosen, in order; undefined when the person gave up. */
  choose(
    question: string,
    choices: readonly Choice[],
    options?: { readonly many?: boolean },
  ): Promise<readonly number[] | undefined>;
  /** False for everything but a yes. */
  confirm(question: string): Promise<boolean>;
}

/** The world as one command sees it. Front ends make one; tests make another. */
export interface CommandContext {
  /** Absolute working directory. */
  readonly cwd: string;
  /** Absolute directory that user paths start from: `SKILLC_HOME`, else the home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): Date;
  /** Tells the user something beside the result. */
  report(diagnostic: Diagnostic): void;
  /** Names the skill an operation is about as soon as it is known, so that its failure is recorded too. */
  accessed(skill: AccessedSkill): void;
  /** Fails when the skill in a directory is kept from whoever asks; without it, when it was switched off. */
  permit?(dir: string, context: { readonly cwd: string }): Promise<void>;
  /** Tells what has just happened, one line, while an operation goes on. */
  note(text: string): void;
  /** Says how far a long operation is; shown on a terminal alone. */
  progress(text: string): void;
  /** The session of a connection that lasts; without it every load stands alone. */
  readonly session?: ((context: CommandContext) => Promise<Session>) | undefined;
  /** Which quizzes were passed in a connection that lasts; without it the state file of the project or the user says so. */
  readonly quizMemory?: QuizMemory | undefined;
  /** Absent where there is nobody to ask: a command then needs everything in its input. */
  readonly ask?: Asker | undefined;
  /** All of standard input. Absent where it belongs to a protocol. E015 when there is more than `maxBytes`. */
  readonly readInput?: ((options: { readonly maxBytes: number }) => Promise<Uint8Array>) | undefined;
  /** How to start another skc, for work that is shared among processes; undefined where that is not possible. */
  readonly launch?: Launch | undefined;
  /** Ends operations that run until they are told to stop. */
  readonly signal: AbortSignal;
  /** Keeps indexes open between operations, in front ends that live longer than one. */
  readonly indexes?: IndexCache | undefined;
  /** What the catalog knows of names; set for operations on a skill that is in neither store. */
  readonly catalogued?: CataloguedSkills | undefined;
  /** Reads that, in front ends that need not do so for each operation. */
  readonly findCatalogued?:
    | ((context: CommandContext, words: readonly string[]) => Promise<CataloguedSkills | undefined>)
    | undefined;
  /** Keeps catalogs and what is prepared for them, in the same front ends. */
  readonly keepCatalog?: CatalogKeeper | undefined;
}
