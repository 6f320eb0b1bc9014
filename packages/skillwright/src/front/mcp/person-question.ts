// Questions that only the person at the client may answer, and their answers. Neither is ever a tool argument.

/** The skill in question, in its current state. If a file changes, the answer no longer counts. */
interface AskedSkill {
  readonly skill: string;
  readonly dir: string;
  readonly digest: string;
}

/** A rule requires confirmation. */
interface ConfirmQuestion extends AskedSkill {
  readonly kind: 'confirm';
  /** `skill_load` or `skill_run`. */
  readonly tool: string;
  /** Whether "always" can be remembered. */
  readonly remembers: boolean;
}

/** A quiz: any number of options may be correct. */
export interface QuizQuestion extends AskedSkill {
  readonly kind: 'quiz';
  readonly questions: readonly { readonly text: string; readonly options: readonly string[] }[];
}

export type PersonQuestion = ConfirmQuestion | QuizQuestion;

/** How long a confirmation holds. */
export type Span = 'once' | 'connection' | 'always';

/** The person's answer. */
export type PersonAnswer =
  | (Pick<ConfirmQuestion, 'kind' | 'dir' | 'digest' | 'tool'> & { readonly span: Span })
  | (Pick<QuizQuestion, 'kind' | 'dir' | 'digest'> & { readonly chosen: readonly (readonly number[])[] });

/** A result, with a question if the person must be asked. */
export interface Answered<Result> {
  readonly result?: Result;
  /** Reason for the missing result. */
  readonly refusal?: string;
  readonly question?: PersonQuestion;
}
