// Everything a command may know of the world outside its input.

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
  /** Taken when the answer is empty. */
  readonly chosen?: boolean | undefined;
}

/** Something to choose from a list that can be searched. */
export interface PickedChoice {
  readonly label: string;
  readonly description: string;
  /** Lines about it, found out when it is looked at. */
  facts(): readonly string[];
}

/** Questions to a person at a terminal. */
export interface Asker {
  /** Positions of what was chosen, in order; undefined when the person gave up. */
  choose(
    question: string,
    choices: readonly Choice[],
    options?: { readonly many?: boolean },
  ): Promise<readonly number[] | undefined>;
  /** The same from a list to search; absent where there is no screen for it. */
  readonly pick?:
    | ((question: string, choices: readonly PickedChoice[]) => Promise<readonly number[] | undefined>)
    | undefined;
  /** Several questions on one form, where questions come as forms: what was chosen for each, in order. */
  readonly chooseAll?:
    | ((form: QuestionForm) => Promise<readonly (readonly number[])[] | undefined>)
    | undefined;
  /** False for everything but a yes. */
  confirm(question: string): Promise<boolean>;
}

/** Questions that are asked together; any number of choices may be right. */
export interface QuestionForm {
  /** The directory of the skill that asks. */
  readonly dir: string;
  readonly title: string;
  readonly questions: readonly { readonly text: string; readonly choices: readonly Choice[] }[];
}

/** What a front end gives for a run. Tests give another one. */
export interface FrontContext extends Surroundings {
  /** For whom the front end acts. */
  readonly by: Actor;
  /** Whether a result is read by somebody who pays for every word: a model, or an agent with a shell. */
  readonly isBudgeted?: boolean;
  now(): Date;
  /** Tells the user something beside the result. */
  report(diagnostic: Diagnostic): void;
  /** Tells what has just happened, one line, while an operation goes on. */
  note(text: string): void;
  /** Says how far a long operation is; shown on a terminal alone. */
  progress(text: string): void;
  /** Ends operations that run until they are told to stop. */
  readonly signal: AbortSignal;
  /** Absent where there is nobody to ask: a command then needs everything in its input. */
  readonly ask?: Asker | undefined;
  /** Answers rules that want a confirmation, where that is not a question in a terminal. */
  readonly confirm?: ((question: Confirmation) => Promise<boolean>) | undefined;
  /** All of standard input. Absent where it belongs to a protocol. E015 when there is more than `maxBytes`. */
  readonly readInput?: ((options: { readonly maxBytes: number }) => Promise<Uint8Array>) | undefined;
  /** How to start another skc, for work that is shared among processes; undefined where that is not possible. */
  readonly launch?: Launch | undefined;
  /** The session of a connection that lasts; without it every load stands alone. */
  readonly session?: ((context: CommandContext) => Promise<Session>) | undefined;
  /** Which quizzes were passed in a connection that lasts; without it the state file of the workspace says so. */
  readonly quizMemory?: QuizMemory | undefined;
  /** Keeps indexes open between operations, in front ends that live longer than one. */
  readonly indexes?: IndexCache | undefined;
  /** Keeps the workspace while nothing it depends on changes, in the same front ends. */
  readonly workspace?: ((cwd: string) => Promise<Workspace>) | undefined;
  /** Keeps the catalog and what is prepared for it, in the same front ends. */
  readonly catalog?:
    | ((workspace: Workspace, options: { readonly fresh: boolean }) => Promise<SkillCatalog>)
    | undefined;
}

/** The world as one command sees it: settled once, and judged. */
export interface CommandContext extends Omit<FrontContext, 'workspace' | 'catalog' | 'cwd' | 'home' | 'env'> {
  readonly workspace: Workspace;
  /** The way to skills. */
  readonly access: Access;
  /** The skill that the input names, where the command says that it names one; found and judged. */
  readonly skill: OpenedSkill | undefined;
  /** Which quizzes were passed. */
  memory(): Promise<QuizMemory>;
}

/** The folder a connection is about. */
export interface OpenedFolder {
  readonly cwd: string;
  readonly trust: boolean;
  /** The id of its session, where the client has given one. */
  readonly sessionId?: string;
  /** Whether the client hears of changes. */
  readonly watch?: boolean;
}

/** One client, for as long as it stays. */
export interface Connection {
  readonly surroundings: Surroundings;
  /**
   * Fixes the folder and whether it is trusted; whatever comes first does, so every method may be called without it.
   * Works before it returns, so that what the client has sent already is answered for this folder. E022 when it is not
   * a directory; fails when it was fixed otherwise before.
   */
  open(folder?: Partial<OpenedFolder>): OpenedFolder;
  /** The session of the folder, or of another directory: that one is trusted when it lies in a trusted folder. */
  session(cwd?: string): Promise<Session>;
  /** Every session that is open, the folder's own first. */
  sessions(): Promise<ReadonlyMap<string, Session>>;
  /** What is being worked on, by the ids of the requests. */
  readonly requests: Map<string | number, AbortController>;
  /** Aborted when the client gives up the request that is being worked on. */
  readonly signal?: AbortSignal | undefined;
}

/** The first word of a line that a shell wants completed; the words of the line follow. */
export const COMPLETE_WORD = '--complete';

/** The first word of a process that works for a server of ours; the second says for which. Nobody else starts one. */
export const DEPUTY_WORD = '--deputy';
