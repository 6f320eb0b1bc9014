// Everything a command may know besides its input.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import type { Session } from '../../host/runtime/index.ts';
import type { Access, Confirmation, OpenedSkill } from '../../read/access/index.ts';
import type { SkillCatalog } from '../../read/catalog/index.ts';
import type { IndexCache } from '../../read/index/index.ts';
import type { Actor } from '../../skill/judge/index.ts';
import type { QuizMemory } from '../../skill/quiz/index.ts';
import type { Surroundings, Workspace } from '../../skill/workspace/index.ts';

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
  /** The choice for an empty answer. */
  readonly chosen?: boolean | undefined;
}

/** Something to choose from a list that can be searched. */
export interface PickedChoice {
  readonly label: string;
  readonly description: string;
  /** Details, computed when the item is highlighted. */
  facts(): readonly string[];
}

/** Questions to a person at a terminal. */
export interface Asker {
  /** Positions of the chosen items, in order; undefined when the person gave up. */
  choose(
    question: string,
    choices: readonly Choice[],
    options?: { readonly many?: boolean },
  ): Promise<readonly number[] | undefined>;
  /** The same from a searchable list; absent without a screen. */
  readonly pick?:
    | ((question: string, choices: readonly PickedChoice[]) => Promise<readonly number[] | undefined>)
    | undefined;
  /** Several questions on one form, if the front end has forms: the choice for each, in order. */
  readonly chooseAll?:
    | ((form: QuestionForm) => Promise<readonly (readonly number[])[] | undefined>)
    | undefined;
  /** True only for a yes. */
  confirm(question: string): Promise<boolean>;
}

/** Questions that are asked together; any number of choices may be right. */
interface QuestionForm {
  /** Directory of the skill the questions belong to. */
  readonly dir: string;
  readonly title: string;
  readonly questions: readonly { readonly text: string; readonly choices: readonly Choice[] }[];
}

/** Context of a run, made by a front end or by a test. */
export interface FrontContext extends Surroundings {
  /** The party the front end acts for. */
  readonly by: Actor;
  /** Whether the reader pays for every word: a model, or an agent with a shell. */
  readonly isBudgeted?: boolean;
  /** The format the user chose for the result; absent without a choice. */
  readonly format?: string | undefined;
  now(): Date;
  /** Prints a note for the user, apart from the result. */
  report(diagnostic: Diagnostic): void;
  /** Prints one line about an event while an operation runs. */
  note(text: string): void;
  /** Reports the progress of a long operation; shown only on a terminal. */
  progress(text: string): void;
  /** Stops operations that run until told otherwise. */
  readonly signal: AbortSignal;
  /** Absent if there is nobody to ask; a command then needs everything in its input. */
  readonly ask?: Asker | undefined;
  /** Answers rules that want a confirmation, for front ends without a terminal. */
  readonly confirm?: ((question: Confirmation) => Promise<boolean>) | undefined;
  /** All of standard input; absent if a protocol uses it. E015 for more than `maxBytes`. */
  readonly readInput?: ((options: { readonly maxBytes: number }) => Promise<Uint8Array>) | undefined;
  /** How to start another skc, to share work among processes; undefined if that is not possible. */
  readonly launch?: Launch | undefined;
  /** The session of a lasting connection; without it, loads share nothing. */
  readonly session?: ((context: CommandContext) => Promise<Session>) | undefined;
  /** Quizzes passed in a lasting connection; without it, the state file of the workspace is used. */
  readonly quizMemory?: QuizMemory | undefined;
  /** The program that asks, such as the name of an MCP client; for the access log. */
  readonly client?: string | undefined;
  /** The run of its accesses, unless SKC_RUN_ID names one. */
  readonly run?: string | undefined;
  /** Keeps indexes open between operations, in front ends that run more than one. */
  readonly indexes?: IndexCache | undefined;
  /** Keeps the workspace until a file behind it changes, in the same front ends. */
  readonly workspace?: ((cwd: string) => Promise<Workspace>) | undefined;
  /** Keeps the catalog and its search data, in the same front ends. */
  readonly catalog?:
    | ((workspace: Workspace, options: { readonly fresh: boolean }) => Promise<SkillCatalog>)
    | undefined;
}

/** Context of one command: workspace opened, skill judged. */
export interface CommandContext extends Omit<FrontContext, 'workspace' | 'catalog' | 'cwd' | 'home' | 'env'> {
  readonly workspace: Workspace;
  /** Opens skills. */
  readonly access: Access;
  /** The skill the input names, found and judged, if the command takes one. */
  readonly skill: OpenedSkill | undefined;
  /** Passed quizzes. */
  memory(): Promise<QuizMemory>;
}

/** First word when a shell asks for completion; the words of the line follow. */
export const COMPLETE_WORD = '--complete';

/** First word when a server starts a deputy; the second names the server. */
export const DEPUTY_WORD = '--deputy';

/** How a server starts a deputy. */
export const launchDeputy = ({ command, args }: Launch, server: 'mcp' | 'rpc'): Launch => ({
  command,
  args: [...args, DEPUTY_WORD, server],
});
